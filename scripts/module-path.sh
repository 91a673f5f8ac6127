#!/usr/bin/env bash
# module-path.sh HOST/OWNER/mneme gives the module that path, in the place of the one it has: in imports, configuration and
# documents, and in the address that install.sh downloads from. Commit what it changes.
set -euo pipefail
cd "$(dirname "$0")/.."
to=${1:-}
[[ $to =~ ^[a-z0-9.-]+\.[a-z]+(/[A-Za-z0-9._-]+)+$ ]] || { echo "give the path as HOST/OWNER/mneme, such as example.org/you/mneme"; exit 2; }
from=$(go list -m)
# Never where it is the name of the program.
git grep -lzIE "$from" -- '*.go' '*.mod' '*.yml' '*.yaml' '*.sh' '*.md' '*.toml' '*package.json' Makefile ':!scripts/module-path.sh' | FROM=$from TO=$to xargs -0 perl -pi -e '
  my ($from, $to) = (quotemeta $ENV{FROM}, $ENV{TO});
  my $repository = $to =~ s{^[^/]+/}{}r;
  s{(?<=--repo )OWNER/mneme}{$repository}g;
  s{(?<![\w/.\-])$from(?=/(bench|examples|graph|internal|memory|packaging|resolvers|schema|service|store)\b)}{$to}g;
  s{^module $from$}{module $to};
  s{^const module = "$from"}{const module = "$to"};
  s{(?<=https://)$from(?=/releases|\.git)|(?<![\w/.\-])$from(?=\@)|HOST/OWNER/mneme}{$to}g;'
git ls-files -z '*.go' | xargs -0 gofmt -w
