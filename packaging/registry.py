"""An npm registry of the packages in a directory, on a port that it prints: registry.py DIRECTORY. For packaging/check.sh."""

import base64
import hashlib
import http.server
import json
import pathlib
import sys
import tarfile
import urllib.parse

files, packages = {}, {}
for file in pathlib.Path(sys.argv[1]).glob("mneme-db*.tgz"):
    with tarfile.open(file) as archive:
        package = json.load(archive.extractfile("package/package.json"))
    digest = base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
    files["/" + file.name] = file
    package["dist"] = {"tarball": file.name, "integrity": "sha512-" + digest}
    packages["/" + package["name"]] = package


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path = urllib.parse.unquote(self.path)
        if path in files:
            return self.answer(200, files[path].read_bytes())
        if path not in packages:
            return self.answer(404, b"{}")
        package = packages[path]
        tarball = "http://%s/%s" % (self.headers["Host"], package["dist"]["tarball"])
        package = {**package, "dist": {**package["dist"], "tarball": tarball}}
        version = package["version"]
        document = {"name": package["name"], "dist-tags": {"latest": version}, "versions": {version: package}}
        self.answer(200, json.dumps(document).encode())

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
