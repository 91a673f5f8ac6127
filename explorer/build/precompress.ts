import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'fflate';
import type { Plugin } from 'vite';

/**
 * Replaces the files of the build, all but its pages, by their gzip form, the only one that is committed:
 * a third of the size, and the server unpacks it for the rare client that cannot.
 * The compressor is JavaScript because the bytes that Node's zlib writes differ between its versions
 * and between processors.
 */
export function precompress(directory: string): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || entry.name.endsWith('.html')) continue;
        const file = join(entry.parentPath, entry.name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9, mem: 12, mtime: 0 }));
        rmSync(file);
      }
    },
  };
}
