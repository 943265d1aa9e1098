"""What the description says in words: a member that is null is as one that is not there."""

import schemathesis


def allow_null(schema):
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties", {})
    for name, member in properties.items():
        allow_null(member)
        is_of_request = schema.get("additionalProperties") is not False
        if is_of_request and name not in schema.get("required", []) and "const" not in member:
            properties[name] = {"anyOf": [member, {"type": "null"}]}
    for part in ("items", "additionalProperties"):
        allow_null(schema.get(part))
    for part in ("anyOf", "oneOf", "allOf"):
        for alternative in schema.get(part, []):
            allow_null(alternative)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for schema in raw_schema["components"]["schemas"].values():
        allow_null(schema)
