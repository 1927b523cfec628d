// Reads the text of a document, YAML 1.2 (core schema) or JSON, into a plain value. runs-13.
import { parseDocument } from 'yaml';
import { tryParseJson } from '../../../lib/json/json-text.ts';
import { findDoubledKey } from './doubled-json-key.ts';
import { checkYamlTokens } from './yaml-tokens.ts';
import { UnreadableDocument, yamlToValue } from './yaml-value.ts';

/** Most bytes of a document: 1 MiB. runs-13. */
export const maxDocumentBytes = 1_048_576;
/** Most levels of nested lists and mappings. A PRD has four levels; `metadata` may have more. */
export const maxDocumentDepth = 64;

/**
 * The plain value of a text.
 * @param maxJsonBytes the bound of JSON, which costs less to read than YAML
 * @throws UnreadableDocument when the text is neither, is larger than its bound (1 MiB), has a key twice, or uses what
 *   `yamlToValue` rejects
 */
export function readDocumentText(text: string, maxJsonBytes = maxDocumentBytes): unknown {
  const bytes = Buffer.byteLength(text);
  const looksLikeJson = /^\s*[[{]/.test(text);
  const maxBytes = looksLikeJson ? maxJsonBytes : maxDocumentBytes;
  if (bytes > maxBytes) throw new UnreadableDocument(`The document is larger than ${maxBytes / 2 ** 20} MiB.`);
  const json = looksLikeJson ? tryParseJson(text) : undefined;
  if (json === undefined && bytes > maxDocumentBytes) throw new UnreadableDocument('The JSON is not valid.');
  if (json === undefined) return readYaml(text);
  const doubled = findDoubledKey(text);
  if (doubled !== undefined) throw new UnreadableDocument(`The JSON has the key ${doubled.slice(0, 100)} twice.`);
  return json;
}

function readYaml(text: string): unknown {
  checkYamlTokens(text, maxDocumentDepth);
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    uniqueKeys: false,
    stringKeys: true,
    prettyErrors: true,
    // The library reports a second document at this level only.
    logLevel: 'error',
  });
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    // The library's message goes on with an excerpt of the text.
    const reason = error.message.includes('call stack')
      ? 'it is nested too deep'
      : (error.message.split('\n', 1)[0] ?? '').slice(0, 200).replace(/:$/, '');
    const hint =
      error.code === 'BLOCK_AS_IMPLICIT_KEY' ? ' Put a text that contains a colon and a space in quotes.' : '';
    throw new UnreadableDocument(`The document is not valid YAML: ${reason}.${hint}`);
  }
  if (document.directives.yaml.explicit === true && document.directives.yaml.version !== '1.2')
    throw new UnreadableDocument('The document asks for another version of YAML than 1.2.');
  return yamlToValue(document, maxDocumentBytes, maxDocumentDepth);
}
