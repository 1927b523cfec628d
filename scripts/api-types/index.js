// Types of an OpenAPI document, made where openapi-typescript finds a TypeScript 5.
export { astToString, default as openApiTypes } from 'openapi-typescript';
