// The types of index.js.
/** @param document as JSON @returns a TypeScript module */
export declare function generateTypes(document: string): Promise<string>;
