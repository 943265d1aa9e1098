"""The addresses of Apple's pages on the declarations of the module CloudKit.

Apple's rule: the names of the declaration and of the types around it, in lower case. Two declarations with
the same name in lower case get their kinds: `-swift.enum`, `-swift.property`. Overloads get a suffix that
follows from no rule: `suffixes` has those that were seen. The others lead to the page of all overloads.
"""
import re

base = "https://developer.apple.com/documentation/cloudkit/"

# Each with a part of the declaration, which tells it from the others with the path.
suffixes = {
    ("cksyncengine", "class CKSyncEngine"): "-5sie5",
    ("cksyncenginedelegate", "protocol CKSyncEngineDelegate"): "-1q7g8",
    ("ckcontainer/accept(_:)", "_ metadata:"): "-5vv8p",
    ("ckcontainer/accept(_:completionhandler:)", "_ metadata:"): "-6u74b",
    ("ckdatabase/save(_:)", "_ record:"): "-1j6fq",
    ("ckdatabase/save(_:)", "_ zone:"): "-7btlo",
    ("ckdatabase/save(_:completionhandler:)", "_ record:"): "-3tatz",
    ("ckdatabase/save(_:completionhandler:)", "_ zone:"): "-6wnys",
    ("ckdatabase/save(_:completionhandler:)", "_ subscription:"): "-4d9gk",
    ("ckrecordzone/id/init(zonename:ownername:)", "ownerName: String?"): "-2hzo4",
}

# Members that a conformance or superclass brings: Apple's pages are those of Foundation.
brought = {
    "encode(with:)", "init(coder:)", "supportsSecureCoding", "copy(with:)", "classForKeyedArchiver",
    "hash", "isEqual(_:)", "description", "debugDescription", "init(from:)", "encode(to:)", "rawValue",
    "hash(into:)", "hashValue", "==(lhs:rhs:)", "init(rawValue:)", "makeIterator()", "next()",
    "errorUserInfo", "localizedDescription", "init()",
    # Of Operation.
    "start()", "cancel()", "isExecuting", "isFinished", "isAsynchronous",
}
# What only MockCloudKit has.
own = re.compile(r"withMock\(|setMock\(|init\(mock:|onException$|cloudKit$|value\(|setValue\(|_|~=|==")


def spelling(symbol):
    return "".join(part["spelling"] for part in symbol.get("declarationFragments", []))


def nested(symbols):
    """The names of classes at the top that Apple has within others, with those names: Foundation on Linux
    cannot archive a class within another."""
    found = {}
    for symbol in symbols:
        match = re.search(r"typealias \w+ = (CK\w+)$", spelling(symbol))
        if match and len(symbol["pathComponents"]) > 1:
            found[match[1]] = ".".join(symbol["pathComponents"])
    return found


def addresses(symbols):
    """Returns the address of each declaration that Apple has a page for, by its precise identifier."""
    aliases = nested(symbols)
    # The kinds of the declarations with a path, whose parts are in lower case.
    kinds, paths = {}, {}
    for symbol in symbols:
        parts = symbol["pathComponents"]
        text = spelling(symbol)
        if not parts[0].startswith("CK") or "override" in text:
            continue
        precise = symbol["identifier"]["precise"]
        if "::SYNTHESIZED::" in precise and not precise.startswith("s:8CloudKit"):
            continue
        kind = symbol["kind"]["identifier"].removeprefix("swift.").removeprefix("type.")
        if re.search(r"typealias \w+ = (CK\w+)$", text) and text.split(" = ")[1] in aliases:
            kind = "class"
        parts = aliases.get(parts[0], parts[0]).split(".") + parts[1:]
        path = "/".join(parts).lower()
        paths[precise] = (path, kind, parts[-1], text)
        kinds.setdefault(path, set()).add(kind)
    by_type = {path: kind for path, kind, _, _ in paths.values()
               if kind in ("class", "struct", "enum", "protocol")}
    result = {}
    for identifier, (path, kind, name, text) in paths.items():
        if name in brought or own.match(name):
            continue
        whole = ""
        parts = path.split("/")
        for index, part in enumerate(parts):
            prefix = "/".join(parts[:index + 1])
            is_last = index == len(parts) - 1
            part_kind = kind if is_last else by_type.get(prefix, "")
            if len(kinds.get(prefix, ())) > 1:
                part += f"-swift.{part_kind}"
            for (suffixed, sign), suffix in suffixes.items():
                if prefix == suffixed and (not is_last or sign in text):
                    part += suffix
            whole += ("/" if whole else "") + part
        result[identifier] = base + whole
    return result
