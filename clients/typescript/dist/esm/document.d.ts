/** An operation's types, as `@graphql-typed-document-node/core` declares them, which would bring `graphql` along. */
export interface DocumentTypeDecoration<Result, Variables> {
    __apiType?: (variables: Variables) => Result;
}
/** The text of an operation with its types, such as graphql-codegen makes of it. */
export type Operation<Result, Variables> = DocumentTypeDecoration<Result, Variables> & {
    toString(): string;
};
