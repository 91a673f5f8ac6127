import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

type Package = { name: string; version: string; licence: string; directory: string };

const allowed = new Set(['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'MPL-2.0']);

/**
 * Writes the licence texts of every npm package that is bundled into one file of the build, and fails
 * the build where a package's licence is not one the project accepts. Web workers are bundled apart
 * from the page: `forWorkers` belongs among their plugins and `forPages` among the page's.
 */
export function thirdPartyLicences(fileName: string): { forPages: Plugin; forWorkers: Plugin } {
  const directories = new Set<string>();
  const forWorkers: Plugin = {
    name: 'third-party-licences:collect',
    moduleParsed({ id }) {
      const directory = packageDirectory(id);
      if (directory) directories.add(directory);
    },
  };
  const forPages: Plugin = {
    ...forWorkers,
    name: 'third-party-licences',
    generateBundle() {
      const packages = [...directories].map(readPackage);
      // npm may install one package at several places.
      const distinct = new Map(packages.map((p) => [`${p.name} ${p.version}`, p]));
      this.emitFile({ type: 'asset', fileName, source: notice([...distinct.values()]) });
    },
  };
  return { forPages, forWorkers };
}

/** The directory of the innermost package a module belongs to; undefined for our own and for virtual modules. */
function packageDirectory(id: string): string | undefined {
  return /^[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(id)?.[0];
}

function readPackage(directory: string): Package {
  const { name, version, license: licence } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  if (!allowed.has(licence)) throw new Error(`${name} ${version} is licensed under ${licence}, which the project does not accept`);
  return { name, version, licence, directory };
}

function notice(packages: Package[]): string {
  const sections = packages
    .sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version))
    .map((p) => `${p.name} ${p.version} (${p.licence})\n\n${licenceText(p)}`);
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  // The program that serves the pages has a table of meanings, whose notice must go with it too.
  const table = readFileSync(new URL('../../store/meaning/NOTICE.txt', import.meta.url), 'utf8').trimEnd();
  return ['The browser pages of mneme contain the following packages.', ...sections, table].join(rule) + '\n';
}

// By code unit rather than by locale, so that every machine writes the same file.
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A package's own licence file, with the notices of what it contains in turn; some ship neither, and name only the licence. */
function licenceText({ directory, licence }: Package): string {
  const files = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|notice|thirdpartynotices)(\.(md|txt))?$/i.test(file))
    .sort(compare)
    .map((file) => join(directory, file));
  if (files.length === 0) return `The package ships no licence text; its package.json says ${licence}.`;
  return files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim()).join('\n\n');
}
