"""A second reader of Core Data's stores, and a maker of random ones. It shares no code with AppStores.

  app_stores.py make FIRST END FOLDER   makes stores with random models and objects: FOLDER/SEED.store
  app_stores.py read STORE              prints the records as JSON, sorted by name
  app_stores.py compare STORE JSON …    compares what another reader found, and prints differences
"""
import base64, hashlib, json, plistlib, random, sqlite3, struct, sys, uuid, zlib

UID = plistlib.UID
INTS = (100, 200, 300, 800)
GROUPS = {100: 0, 200: 0, 300: 0, 800: 0, 900: 2, 500: 2, 600: 2, 400: 3, 700: 4, 1200: 5, 1100: 6,
          1800: 7, 1000: 8}
SQL = {0: "INTEGER", 3: "DECIMAL", 4: "VARCHAR", 5: "VARCHAR", 6: "BLOB", 7: "BLOB", 8: "BLOB"}
TARGET = 1


# --- the model -----------------------------------------------------------------------------------
# An entity is {name, super, abstract, attributes: {name: {type, …}}, relationships: {name: {…}}},
# with its own properties only.

def unarchive(data):
    plist = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
    objects = plist["$objects"]

    def at(value):
        value = objects[value.data] if isinstance(value, UID) else value
        return None if value == "$null" else value

    def text(value):
        value = at(value)
        return at(value["NS.string"]) if isinstance(value, dict) else value

    def attribute(node):
        elements = at(node.get("NSCompositeElements"))
        return {
            "type": node.get("NSAttributeType", 0), "optional": bool(node.get("NSIsOptional")),
            "transient": bool(node.get("NSIsTransient")), "derived": bool(node.get("NSIsReadOnly")),
            "external": bool(node.get("NSFlagsKey", 0) & 4),
            "elements": {text(at(e)["NSPropertyName"]): attribute(at(e))
                         for e in (elements or {}).get("NS.objects", [])}}

    root = at(plist["$top"]["root"])
    entities = {}
    for ref in at(at(root["NSEntities"])["values"])["NS.objects"]:
        node = at(ref)
        parent = at(node.get("NSSuperentity"))
        entity = {"name": text(node["NSEntityName"]), "abstract": bool(node.get("NSIsAbstract")),
                  "super": text(parent["NSEntityName"]) if parent else None,
                  "old": text(node.get("NSRenamingIdentifier")), "attributes": {},
                  "relationships": {}}
        properties = at(node["NSProperties"])
        for key, value in zip(properties["NS.keys"], properties["NS.objects"]):
            prop = at(value)
            while "NSUnderlyingProperty" in prop:
                prop = at(prop["NSUnderlyingProperty"])
            kind = at(prop["$class"])["$classname"]
            if "Relationship" in kind:
                entity["relationships"][text(key)] = {
                    "to": text(prop["_NSDestinationEntityName"]),
                    "inverse": text(prop.get("_NSInverseRelationshipName")),
                    "many": prop.get("NSMaxCount", 0) != 1, "ordered": bool(prop.get("NSIsOrdered"))}
            elif "Attribute" in kind:
                entity["attributes"][text(key)] = attribute(prop)
        entities[entity["name"]] = entity
    # Own properties only.
    for entity in list(entities.values()):
        parent = entities.get(entity["super"])
        entity["all"] = dict(entity["attributes"]), dict(entity["relationships"])
    for entity in entities.values():
        parent = entities.get(entity["super"])
        if parent:
            for kind, names in zip(("attributes", "relationships"), parent["all"]):
                for name in names:
                    entity[kind].pop(name, None)
    return entities


def chain(entities, name):
    result = []
    while name:
        result.append(entities[name])
        name = entities[name]["super"]
    return result


def root(entities, name):
    return chain(entities, name)[-1]["name"]


def owner(entities, name, prop):
    return next(e["name"] for e in chain(entities, name)
                if prop in e["attributes"] or prop in e["relationships"])


def inherited(entities, name, kind):
    result = {}
    for entity in reversed(chain(entities, name)):
        result.update(entity[kind])
    return result


def numbering(entities):
    numbers = []

    def visit(parent):
        for entity in sorted((e for e in entities.values() if e["super"] == parent),
                             key=lambda e: e["name"].lower()):
            numbers.append(entity["name"])
            visit(entity["name"])
    visit(None)
    return {name: place + 1 for place, name in enumerate(numbers)}


def leaves(attribute, name):
    if attribute["type"] != 2100:
        return [((name,), attribute)]
    return [((name,) + path, leaf) for element, inner in attribute["elements"].items()
            for path, leaf in leaves(inner, element)]


def layout(entities, numbers):
    """{(entity, path): column}, {table: [(column, SQL type)]} by the rules of names."""
    places, tables, taken = {}, {}, {}
    for name in sorted(numbers, key=numbers.get):
        if name not in entities:
            continue
        entity, table = entities[name], "Z" + root(entities, name).upper()
        used = taken.setdefault(table, {"Z_PK", "Z_ENT", "Z_OPT"})
        columns = tables.setdefault(table, [])
        groups = {}
        order = lambda item: item[0].encode("utf-16-be")
        for attr, described in sorted(entity["attributes"].items(), key=order):
            if described["transient"]:
                continue
            for path, leaf in leaves(described, attr):
                group = 2 if leaf["type"] == 900 else GROUPS[leaf["type"]]
                groups.setdefault(group, []).append((path, leaf["type"]))
        groups[TARGET] = [((rel,), None) for rel, described in sorted(
            entity["relationships"].items(), key=order) if not described["many"]]
        for group in sorted(groups):
            for path, kind in groups[group]:
                base = column = "Z" + path[-1].upper()
                number = 0
                while column in used:
                    number += 1
                    column = base + str(number)
                used.add(column)
                places[name, path] = column
                sql = "INTEGER" if kind is None else {900: "TIMESTAMP", 500: "FLOAT",
                                                      600: "FLOAT"}.get(kind) or SQL[group]
                columns.append((column, sql))
    return places, tables


# --- reading -------------------------------------------------------------------------------------

def versioned(word):
    return word & 0xFFFFFFFFFFFF0FFF | 0x8000


def digest(text):
    return struct.unpack(">4Q", hashlib.sha256(text.encode()).digest())


def spelled(high, low):
    return str(uuid.UUID(int=high << 64 | low)).upper()


def read(path):
    db = sqlite3.connect(path)
    db.text_factory = bytes
    columns_of = {}
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
        table = table.decode()
        columns_of[table] = [row[1].decode() for row in
                             db.execute('PRAGMA table_info("%s")' % table)]
    entities = unarchive(zlib.decompress(db.execute(
        "SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()[0], -15))
    store = db.execute("SELECT Z_UUID FROM Z_METADATA").fetchone()[0].decode()
    keys = {name.decode(): number for number, name in
            db.execute("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16001")}
    numbers = {n: keys.get(n) or keys[e["old"]] for n, e in entities.items()}
    by_number = {number: name for name, number in numbers.items()}
    places, _ = layout(entities, numbers)
    records = {}

    def record_name(entity, key):
        high = versioned(digest(store + "/" + root(entities, entity))[0])
        return spelled(high, key | 1 << 63)

    def decoded(kind, cell, external):
        if cell is None:
            return None
        if external and isinstance(cell, bytes) and cell[:1] == b"\1":
            return {"bytes": base64.b64encode(cell[1:]).decode()}
        if kind in INTS:
            return {"int": cell}
        if kind in (400, 500, 600):
            return {"double": struct.pack(">d", float(cell)).hex()}
        if kind == 900:
            return {"date": struct.pack(">d", float(cell)).hex()}
        if kind in (700, 1200):
            return {"string": cell.decode()}
        if kind == 1100:
            return {"string": str(uuid.UUID(bytes=cell)).upper()}
        return {"bytes": base64.b64encode(cell).decode()}

    def composite(attribute, cell):
        values = {}
        for name, element in attribute["elements"].items():
            if element["type"] == 2100:
                value = composite(element, cell)
            else:
                value = decoded(element["type"], cell(element), False)
            if value is not None:
                values[name] = value
        return values or None

    hidden = []
    for name, entity in entities.items():
        if entity["abstract"]:
            continue
        table = "Z" + root(entities, name).upper()
        for row in db.execute('SELECT * FROM "%s" WHERE Z_ENT = ?' % table, (numbers[name],)):
            cells = dict(zip(columns_of[table], row))
            own = record_name(name, cells["Z_PK"])
            fields = {"CD_entityName": {"string": name}}
            for attr, described in inherited(entities, name, "attributes").items():
                if described["transient"] or described["derived"]:
                    continue
                holder = owner(entities, name, attr)
                paths = {id(leaf): places[holder, path] for path, leaf in leaves(described, attr)}
                cell = lambda leaf: cells[paths[id(leaf)]]
                if described["type"] == 2100:
                    value = composite(described, cell)
                    value = value and {"composite": value}
                else:
                    value = decoded(described["type"], cell(described), described["external"])
                if value is not None:
                    fields["CD_" + attr] = value
            for rel, described in inherited(entities, name, "relationships").items():
                target = described["to"]
                if not described["many"]:
                    key = cells[places[owner(entities, name, rel), (rel,)]]
                    if key is not None:
                        fields["CD_" + rel] = {"string": record_name(target, key)}
                    continue
                far = entities[target]
                inverse = inherited(entities, target, "relationships").get(described["inverse"])
                table2 = "Z" + root(entities, target).upper()
                holder = owner(entities, name, rel)
                if inverse is None:
                    column = "Z%d%s" % (numbers[holder], rel.upper())
                    order = "Z_FOK_%d%s" % (numbers[holder], rel.upper())
                elif not inverse["many"] and described["ordered"]:
                    column = places[owner(entities, target, described["inverse"]),
                                    (described["inverse"],)]
                    order = "Z_FOK_" + column[1:]
                else:
                    continue
                order = '"%s", ' % order if described["ordered"] else ""
                found = [record_name(target, key) for (key,) in db.execute(
                    'SELECT Z_PK FROM "%s" WHERE "%s" = ? ORDER BY %sZ_PK' % (table2, column, order),
                    (cells["Z_PK"],))]
                if found:
                    fields["CD_" + rel] = {"list": found}
            records[own] = {"type": "CD_" + root(entities, name), "fields": fields}
    for name, entity in entities.items():
        for rel, described in entity["relationships"].items():
            inverse = described["inverse"]
            if not described["many"] or inverse is None:
                continue
            other = owner(entities, described["to"], inverse)
            if not entities[other]["relationships"][inverse]["many"]:
                continue
            table = "Z_%d%s" % (numbers[name], rel.upper())
            if table not in columns_of:
                continue
            mine = "Z_%d%s" % (numbers[name], inverse.upper())
            its = "Z_%d%s" % (numbers[other], rel.upper())
            sides = sorted([(name.lower(), rel, name, mine), (other.lower(), inverse, other, its)])
            tables = ["Z" + root(entities, side[2]).upper() for side in sides]
            for pk1, ent1, pk2, ent2 in db.execute(
                    'SELECT a.Z_PK, a.Z_ENT, b.Z_PK, b.Z_ENT FROM "%s" j JOIN "%s" a ON a.Z_PK = '
                    'j."%s" JOIN "%s" b ON b.Z_PK = j."%s"' % (
                        table, tables[0], sides[0][3], tables[1], sides[1][3])):
                words = digest("%s/%s/%d/%d" % (store, table, pk1, pk2))
                link = spelled(versioned(words[0]), words[1] & ~(3 << 62) | 1 << 63)
                # By the entities of the objects, then by the relationships, without regard to case.
                ends = sorted(
                    [(by_number[ent1].lower(), sides[0][1].lower(), 0, by_number[ent1], pk1, sides[0][1]),
                     (by_number[ent2].lower(), sides[1][1].lower(), 1, by_number[ent2], pk2, sides[1][1])])
                records[link] = {"type": "CDMR", "fields": {
                    "CD_entityNames": {"string": ":".join(end[3] for end in ends)},
                    "CD_recordNames": {"string": ":".join(
                        record_name(end[3], end[4]) for end in ends)},
                    "CD_relationships": {"string": ":".join(end[5] for end in ends)}}}
    return records


# --- making --------------------------------------------------------------------------------------

def archive(entities):
    objects, classes = ["$null"], {}

    def add(value):
        objects.append(value)
        return UID(len(objects) - 1)

    def cls(*names):
        if names not in classes:
            classes[names] = add({"$classname": names[0], "$classes": list(names)})
        return classes[names]

    def array(values, name="NSArray"):
        return add({"NS.objects": values, "$class": cls(name, "NSObject")})

    def mapping(items):
        return add({"NS.keys": [add(k) for k in items], "NS.objects": list(items.values()),
                    "$class": cls("NSMutableDictionary", "NSDictionary", "NSObject")})

    def attribute(name, described):
        node = {"NSPropertyName": add(name), "NSAttributeType": described["type"],
                "NSFlagsKey": 4 if described["external"] else 0, "NSDefaultValue": UID(0)}
        if described["optional"]:
            node["NSIsOptional"] = True
        if described["transient"]:
            node["NSIsTransient"] = True
        kind = "NSAttributeDescription"
        if described["type"] == 2100:
            kind = "NSCompositeAttributeDescription"
            node["NSCompositeElements"] = array(
                [attribute(n, e) for n, e in described["elements"].items()])
        node["$class"] = cls(kind, "NSAttributeDescription", "NSPropertyDescription", "NSObject") \
            if kind != "NSAttributeDescription" else cls(kind, "NSPropertyDescription", "NSObject")
        return add(node)

    def relationship(name, described):
        node = {"NSPropertyName": add(name), "_NSDestinationEntityName": add(described["to"]),
                "_NSInverseRelationshipName":
                    add(described["inverse"]) if described["inverse"] else UID(0),
                "NSMaxCount": 0 if described["many"] else 1, "NSIsOptional": True,
                "NSDeleteRule": 1,
                "$class": cls("NSRelationshipDescription", "NSPropertyDescription", "NSObject")}
        if described["ordered"]:
            node["NSIsOrdered"] = True
        return add(node)

    root_ref = add({})
    made = {}

    def entity(name):
        if name in made:
            return made[name]
        described = entities[name]
        node = {"NSEntityName": add(name), "NSRenamingIdentifier": add(name)}
        made[name] = add(node)
        node["NSSuperentity"] = entity(described["super"]) if described["super"] else UID(0)
        if described["abstract"]:
            node["NSIsAbstract"] = True
        node["NSProperties"] = mapping({
            **{n: attribute(n, a) for n, a in inherited(entities, name, "attributes").items()},
            **{n: relationship(n, r)
               for n, r in inherited(entities, name, "relationships").items()}})
        node["$class"] = cls("NSEntityDescription", "NSObject")
        return made[name]

    refs = [entity(name) for name in entities]
    known = add({"values": array(refs),
                 "$class": cls("NSKnownKeysDictionary1", "NSDictionary", "NSObject")})
    objects[root_ref.data] = {"NSEntities": known,
                              "NSVersionIdentifiers": array([add("1.0.0")], "NSSet"),
                              "$class": cls("NSManagedObjectModel", "NSObject")}
    plist = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root_ref},
             "$objects": objects}
    return plistlib.dumps(plist, fmt=plistlib.FMT_BINARY)


NAMES = ["id", "title", "value", "count", "text", "place", "kind", "größe", "日付", "Maß", "note", "Order"]


def random_model(r):
    entities = {}
    for place in range(r.randint(1, 6)):
        name = r.choice(["Note", "folder", "Tag", "Item", "Étude", "Person"]) + "ABCDEFG"[place]
        parent = r.choice(list(entities) + [None] * 4) if entities else None
        entities[name] = {"name": name, "super": parent, "old": name,
                          "abstract": r.random() < 0.1, "attributes": {}, "relationships": {}}
    def plain(kinds):
        kind = r.choice(kinds)
        return {"type": kind, "optional": True, "transient": False, "derived": False,
                "external": kind == 1000 and r.random() < 0.4, "elements": {}}
    kinds = [100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1800]
    for name, entity in entities.items():
        for attr in r.sample(NAMES, r.randint(0, 6)):
            if attr in inherited(entities, name, "attributes"):
                continue
            entity["attributes"][attr] = described = plain(kinds + [2100] * 3)
            described["transient"] = r.random() < 0.05
            if described["type"] == 2100:
                described["elements"] = {
                    n: dict(plain(kinds), external=False)
                    for n in r.sample(NAMES, r.randint(1, 4))}
    for number in range(r.randint(0, 7)):
        a, b = r.choice(list(entities)), r.choice(list(entities))
        one, other = "r%d" % number, "inverse%d" % number
        shape = r.choice(["one", "one-one", "one-many", "ordered", "many-many", "hidden",
                          "hidden-ordered"])
        rel = lambda to, inverse, many, ordered=False: {
            "to": to, "inverse": inverse, "many": many, "ordered": ordered}
        near, far = entities[a]["relationships"], entities[b]["relationships"]
        if shape == "one":
            near[one] = rel(b, None, False)
        elif shape.startswith("hidden"):
            near[one] = rel(b, None, True, shape != "hidden")
        else:
            near[one] = rel(b, other, shape in ("many-many", "one-many", "ordered"),
                            shape == "ordered")
            far[other] = rel(a, one, shape == "many-many")
    return entities


def make(seed, path):
    r = random.Random(seed)
    entities = random_model(r)
    numbers = numbering(entities)
    places, tables = layout(entities, numbers)
    db = sqlite3.connect(path)
    kinds = {name: [n for n in entities if any(e["name"] == name for e in chain(entities, n))]
             for name in entities}
    joins, extra = [], {}
    for name, entity in entities.items():
        for rel, described in entity["relationships"].items():
            table = "Z" + root(entities, name).upper()
            target = described["to"]
            far = "Z" + root(entities, target).upper()
            inverse = described["inverse"] and entities[
                owner(entities, target, described["inverse"])]["relationships"][described["inverse"]]
            if not described["many"]:
                column = places[name, (rel,)]
                if len(kinds[target]) > 1:
                    tables[table].append(("Z%d_%s" % (numbers[target], column[1:]), "INTEGER"))
                if inverse and inverse["ordered"]:
                    tables[table].append(("Z_FOK_" + column[1:], "INTEGER"))
            elif inverse is None:
                extra[name, rel] = "Z%d%s" % (numbers[name], rel.upper())
                tables[far].append((extra[name, rel], "INTEGER"))
                if described["ordered"]:
                    tables[far].append(("Z_FOK_%d%s" % (numbers[name], rel.upper()), "INTEGER"))
            elif inverse["many"] and (numbers[name], rel) <= (numbers[target], described["inverse"]):
                joins.append((name, rel, target, described["inverse"]))
    db.execute("CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, "
               "Z_SUPER INTEGER, Z_MAX INTEGER)")
    db.execute("CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), "
               "Z_PLIST BLOB)")
    db.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    compress = zlib.compressobj(r.choice([0, 1, 9]), zlib.DEFLATED, -15)
    db.execute("INSERT INTO Z_MODELCACHE VALUES (?)",
               (compress.compress(archive(entities)) + compress.flush(),))
    plist = {"NSStoreModelVersionHashes": {name: bytes(32) for name in entities},
             "NSPersistenceFrameworkVersion": 1526, "NSStoreType": "SQLite"}
    db.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)", (
        str(uuid.UUID(int=r.getrandbits(128))).upper(),
        plistlib.dumps(plist, fmt=plistlib.FMT_BINARY)))
    for table, columns in tables.items():
        db.execute('CREATE TABLE "%s" (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER%s)' % (
            table, "".join(', "%s" %s' % column for column in columns)))

    def cell(described):
        kind = described["type"]
        if r.random() < 0.3:
            return None
        if kind == 800:
            return r.randint(0, 1)
        if kind in INTS:
            return r.choice([0, 1, -1, 2 ** ({100: 15, 200: 31, 300: 63}[kind]) - 1])
        if kind in (400, 500, 600, 900):
            return r.choice([0.0, 1.5, -2.25, 701234567.125, 12.0, 1e-5])
        if kind in (700, 1200):
            return r.choice(["", "a", "Füße", "\u00a0 e\u0301", "x" * 40])
        if kind == 1100:
            return uuid.UUID(int=r.getrandbits(128)).bytes
        data = bytes(r.getrandbits(8) for _ in range(r.randint(0, 30)))
        return b"\1" + data if described["external"] else data

    objects, counts = {}, {}
    for name, entity in entities.items():
        for _ in range(0 if entity["abstract"] else r.randint(0, 8)):
            top = root(entities, name)
            counts[top] = counts.get(top, 0) + r.choice([1, 1, 1, 2])
            row = {"Z_PK": counts[top], "Z_ENT": numbers[name], "Z_OPT": r.randint(1, 3)}
            for attr, described in inherited(entities, name, "attributes").items():
                if described["transient"]:
                    continue
                holder = owner(entities, name, attr)
                for path, leaf in leaves(described, attr):
                    row[places[holder, path]] = cell(leaf)
            objects[name, counts[top]] = row
    named = lambda kind: [(n, k) for n, k in objects if n in kinds[kind]]

    def point(row, holder, rel, target, key):
        column = places[holder, (rel,)]
        row[column] = key[1]
        if len(kinds[target]) > 1:
            row["Z%d_%s" % (numbers[target], column[1:])] = numbers[key[0]]

    links = {}
    for name, entity in entities.items():
        for rel, described in entity["relationships"].items():
            target, inverse = described["to"], described["inverse"]
            back = inverse and entities[owner(entities, target, inverse)]["relationships"][inverse]
            sources, targets = named(name), named(target)
            if not described["many"] and back is None:
                for key in sources:
                    if targets and r.random() < 0.7:
                        point(objects[key], name, rel, target, r.choice(targets))
            elif not described["many"] and not back["many"] and rel < inverse:
                continue
            elif not described["many"] and not back["many"]:
                for key, other in zip(r.sample(sources, len(sources)), targets):
                    if objects[key].get(places[name, (rel,)]) is None:
                        point(objects[key], name, rel, target, other)
                        point(objects[other], owner(entities, target, inverse), inverse, name, key)
            elif not described["many"] and back["many"]:
                orders = {}
                for key in sources:
                    if targets and r.random() < 0.8:
                        other = r.choice(targets)
                        point(objects[key], name, rel, target, other)
                        if back["ordered"]:
                            orders.setdefault(other, []).append(key)
                for keys in orders.values():
                    r.shuffle(keys)
                    for place, key in enumerate(keys):
                        objects[key]["Z_FOK_" + places[name, (rel,)][1:]] = 2048 + 1024 * place
            elif back is None:
                orders = {}
                for key in targets:
                    if sources and r.random() < 0.8:
                        other = r.choice(sources)
                        objects[key][extra[name, rel]] = other[1]
                        orders.setdefault(other, []).append(key)
                for keys in orders.values():
                    r.shuffle(keys)
                    for place, key in enumerate(keys):
                        if described["ordered"]:
                            objects[key]["Z_FOK_" + extra[name, rel][1:]] = 2048 + 1024 * place
    for (name, key), row in objects.items():
        names = list(row)
        db.execute('INSERT INTO "Z%s" (%s) VALUES (%s)' % (
            root(entities, name).upper(), ", ".join('"%s"' % n for n in names),
            ", ".join("?" for _ in names)), [row[n] for n in names])
    for name, rel, target, inverse in joins:
        table = "Z_%d%s" % (numbers[name], rel.upper())
        mine = "Z_%d%s" % (numbers[name], inverse.upper())
        its = "Z_%d%s" % (numbers[target], rel.upper())
        db.execute('CREATE TABLE "%s" ("%s" INTEGER, "%s" INTEGER, PRIMARY KEY ("%s", "%s"))' % (
            table, mine, its, mine, its))
        for a in named(name):
            for b in named(target):
                if r.random() < 0.3:
                    db.execute('INSERT INTO "%s" VALUES (?, ?)' % table, (a[1], b[1]))
    for name, number in numbers.items():
        parent = entities[name]["super"]
        db.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)", (
            number, name, numbers[parent] if parent else 0,
            counts.get(name, 0) if not parent else 0))
    db.commit()


# --- comparing -----------------------------------------------------------------------------------

def composite_values(data):
    """The values of a composite attribute's archive, in the form of `read`."""
    plist = plistlib.loads(data, fmt=plistlib.FMT_BINARY)
    objects = plist["$objects"]

    def value(ref):
        item = objects[ref.data]
        if isinstance(item, bool):
            return {"int": int(item)}
        if isinstance(item, int):
            return {"int": item}
        if isinstance(item, float):
            return {"double": struct.pack(">d", item).hex()}
        if isinstance(item, str):
            return {"string": item}
        if isinstance(item, bytes):
            return {"bytes": base64.b64encode(item).decode()}
        if "NS.time" in item:
            return {"date": struct.pack(">d", item["NS.time"]).hex()}
        if "NS.uuidbytes" in item:
            return {"string": str(uuid.UUID(bytes=item["NS.uuidbytes"])).upper()}
        if "NS.relative" in item:
            return {"string": objects[item["NS.relative"].data]}
        return {objects[k.data]: value(v) for k, v in zip(item["NS.keys"], item["NS.objects"])}

    return value(plist["$top"]["root"])


def compare(store, found):
    expected = read(store)
    for name, record in expected.items():
        other = found.pop(name, None)
        if other is None or other["type"] != record["type"]:
            print(store, name, "expected", record, "found", other)
            continue
        for field in set(record["fields"]) | set(other["fields"]):
            a, b = record["fields"].get(field), other["fields"].get(field)
            if a and "composite" in a and b:
                b = {"composite": composite_values(base64.b64decode(b["bytes"]))}
            if a != b:
                print(store, name, field, "expected", a, "found", b)
    for name in found:
        print(store, name, "was not expected")


if __name__ == "__main__":
    if sys.argv[1] == "compare":
        for store, path in zip(sys.argv[2::2], sys.argv[3::2]):
            compare(store, json.load(open(path)))
    elif sys.argv[1] == "read":
        print(json.dumps(read(sys.argv[2]), sort_keys=True))
    else:
        for seed in range(int(sys.argv[2]), int(sys.argv[3])):
            make(seed, "%s/%d.store" % (sys.argv[4], seed))
