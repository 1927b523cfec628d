// What index.js offers.
/** @param document as JSON @returns a TypeScript module */
export declare function typesOf(document: string): Promise<string>;
