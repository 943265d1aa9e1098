// Sends the requests that CloudKit JS sends for the calls of a page, in its form: as plain text, with
// items of its own in the query. It is not Apple's, and has no other call. As CloudKit JS 2.6.4, it uses
// the store of tokens only with `persist`, and expects that the store keeps each token.
let configuration;

async function send(scope, path, body) {
  const { services, containers } = configuration;
  const { containerIdentifier, environment, apiTokenAuth } = containers[0];
  const store = apiTokenAuth.persist ? services.authTokenStore : undefined;
  const query = new URLSearchParams({
    ckjsBuildVersion: "2310ProjectDev27", ckjsVersion: "2.6.1", clientId: "stand-in",
    ckAPIToken: apiTokenAuth.apiToken,
  });
  if (store) query.set("ckWebAuthToken", store.getToken(containerIdentifier));
  const url = `https://api.apple-cloudkit.com/database/1/${containerIdentifier}/${environment}` +
    `/${scope}/${path}?${query}`;
  const headers = { "Content-Type": "text/plain" };
  const answer = await services.fetch(url, { method: "POST", body: JSON.stringify(body), headers });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.reason);
  const token = answer.headers.get("X-Apple-CloudKit-Web-Auth-Token");
  if (store) {
    store.putToken(containerIdentifier, token);
    if (store.getToken(containerIdentifier) !== token) {
      throw new Error("Could not read or write ckSession");
    }
  }
  return json;
}

function database(scope) {
  return {
    saveRecordZones: (zoneName) => {
      const zone = { zoneID: { zoneName } };
      return send(scope, "zones/modify", { operations: [{ operationType: "create", zone }] });
    },
    saveRecords: (records, options) => {
      const operations = records.map((record) => ({ operationType: "create", record }));
      return send(scope, "records/modify", { operations, ...options });
    },
    performQuery: (query, options) => send(scope, "records/query", { query, ...options }),
  };
}

exports.configure = (value) => { configuration = value; };
exports.getDefaultContainer = () => ({ privateCloudDatabase: database("private") });
