"""The public sources that comments name, as links of Markdown. Used by differences and symbol-graphs."""

import re

repositories = {
    "sqlite-data": "pointfreeco/sqlite-data", "SyncKit": "mentrena/SyncKit",
    "MistKit": "brightdigit/MistKit", "IceCream": "caiyue1993/IceCream",
    "EVCloudKitDao": "evermeer/EVCloudKitDao", "Moolah": "moolah-rocks/moolah-native",
    "scout": "kasianov-mikhail/scout", "MYCloudKit": "mufasaYC/MYCloudKit",
    "Sodalite": "superuser404notfound/Sodalite", "AgileCloudSDK": "agilebits/AgileCloudSDK",
    "sample-cloudkit-sync-engine": "apple/sample-cloudkit-sync-engine",
}
documents = {
    "CloudKit Web Services Reference": "https://developer.apple.com/library/archive/documentation/"
    "DataManagement/Conceptual/CloudKitWebServicesReference/",
    "Integrating a Text-Based Schema into Your Workflow": "https://developer.apple.com/documentation/"
    "cloudkit/integrating-a-text-based-schema-into-your-workflow",
    "TN3162": "https://developer.apple.com/documentation/technotes/tn3162-understanding-cloudkit-throttles",
    "TN3164": "https://developer.apple.com/documentation/technotes/"
    "tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer",
}


def linked(text):
    for name, repository in repositories.items():
        text = re.sub(
            rf"(?<!\[)\b{re.escape(name)} (?:issue )?#(\d+)( and #(\d+))?",
            lambda m: f"[{name} #{m[1]}](https://github.com/{repository}/issues/{m[1]})"
            + (f" and [#{m[3]}](https://github.com/{repository}/issues/{m[3]})" if m[3] else ""),
            text)
    text = re.sub(
        r"Apple Developer Forums (\d+)",
        r"[Apple Developer Forums \1](https://developer.apple.com/forums/thread/\1)", text)
    for name, address in documents.items():
        text = text.replace(f"*{name}*", f"[{name}]({address})")
        text = re.sub(rf"(?<!\[)\b{re.escape(name)}\b(?!\])", f"[{name}]({address})", text)
    return text
