"""Prints what a program is built of, as SPDX 2.3: sbom.py PROGRAM VERSION. The same program gives the same text."""

import datetime
import hashlib
import json
import os
import re
import subprocess
import sys

program, version = sys.argv[1:]
with open(program, "rb") as file:
    digest = hashlib.sha256(file.read()).hexdigest()
lines = subprocess.run(["go", "version", "-m", program], check=True, capture_output=True, text=True).stdout.splitlines()
go = lines[0].rsplit(": go", 1)[1]
modules = [line.split("\t")[2:4] for line in lines if line.startswith("\tdep\t")]


def package(name, version, purl, **more):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^a-zA-Z0-9.]", "-", f"{name}-{version}"),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION",
        "licenseDeclared": "NOASSERTION",
        "copyrightText": "NOASSERTION",
        "externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl},
        ],
        **more,
    }


whole = package(
    "mneme",
    version,
    f"pkg:generic/mneme@{version}",
    licenseConcluded="Apache-2.0",
    licenseDeclared="Apache-2.0",
    checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
)
parts = [package("stdlib", go, f"pkg:golang/stdlib@{go}")]
parts += [package(name, at, f"pkg:golang/{name}@{at}") for name, at in modules]
created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
document = {
    "spdxVersion": "SPDX-2.3",
    "dataLicense": "CC0-1.0",
    "SPDXID": "SPDXRef-DOCUMENT",
    "name": f"mneme-{version}",
    "documentNamespace": f"https://spdx.org/spdxdocs/mneme-{version}-{digest}",
    "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: mneme-packaging"]},
    "packages": [whole, *parts],
    "relationships": [
        {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": whole["SPDXID"]},
        *(
            {"spdxElementId": whole["SPDXID"], "relationshipType": "CONTAINS", "relatedSpdxElement": part["SPDXID"]}
            for part in parts
        ),
    ],
}
print(json.dumps(document, indent=1))
