import { createHash } from 'node:crypto';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport, type Plugin } from 'vite';

/**
 * Writes the text of every operation that the pages send into a file, by its SHA-256: beside a list of trusted documents
 * the server answers these, too.
 */
export function ownDocuments(source: string, file: string): Plugin {
  return {
    name: 'own-documents',
    apply: 'build',
    async closeBundle() {
      const texts = new Map<string, string>();
      for (const folder of readdirSync(source)) {
        const operations = join(source, folder, 'operations.generated.ts');
        if (!existsSync(operations)) continue;
        const { module } = await runnerImport<Record<string, unknown>>(operations);
        for (const [exported, operation] of Object.entries(module)) {
          if (!exported.endsWith('Document')) continue; // fragments are part of the operations that use them
          const text = String(operation);
          texts.set(createHash('sha256').update(text).digest('hex'), text);
        }
      }
      const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
      writeFileSync(file, JSON.stringify(Object.fromEntries(sorted), null, 2) + '\n');
    },
  };
}
