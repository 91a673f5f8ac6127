import type { CodegenConfig } from '@graphql-codegen/cli';

/** The folders with operations of their own; each gets its types beside them, so that a page loads no other's texts. */
const folders = ['acting', 'agents', 'api', 'episodes', 'graph', 'judges', 'memory', 'overview', 'recall', 'search'];

/** Those that show records of any kind. */
const naming = ['graph', 'memory', 'search'];

const config: CodegenConfig = {
  schema: '../schema/schema.graphql',
  generates: Object.fromEntries(
    folders.map((folder) => [
      `src/${folder}/operations.generated.ts`,
      { documents: [`src/${folder}/*.graphql`, ...(naming.includes(folder) ? ['src/shared/named.graphql'] : [])], plugins: ['typescript-operations', 'typed-document-node'] },
    ]),
  ),
  config: {
    // The text of each operation, with its types; so the pages need no GraphQL library.
    documentMode: 'string',
    enumsAsTypes: true,
    useTypeImports: true,
    strictScalars: true,
    scalars: { ID: 'string', DateTime: 'string', JSON: 'unknown' },
  },
};

export default config;
