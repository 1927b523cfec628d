// Turns the nodes of one YAML document into plain values, and rejects what makes YAML unsafe or ambiguous. runs-18.
import { isAlias, isMap, isScalar, isSeq, Scalar, type Document, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';

const maxAliases = 100;

/** The document cannot be read. The message is a sentence for its author. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument';
}

interface Converted {
  readonly value: unknown;
  /** Characters of the value written out, with every alias repeated. */
  readonly size: number;
}

interface Conversion {
  readonly maxSize: number;
  readonly maxDepth: number;
  aliases: number;
  /** Undefined while the node of the anchor is being converted. */
  readonly anchors: Map<string, Converted | undefined>;
}

/**
 * The plain value of a document: texts, finite numbers, booleans, null, arrays and objects.
 * @param maxSize most characters of the value written out: aliases multiply it
 * @throws UnreadableDocument for a tag, a doubled key, a merge key, a key that is not a text, more than 100 aliases, an
 *   anchor that holds itself, and a value beyond the bounds
 */
export function yamlToValue(document: Document, maxSize: number, maxDepth: number): unknown {
  return convert(document.contents, maxDepth, { maxSize, maxDepth, aliases: 0, anchors: new Map() }).value;
}

function convert(node: unknown, depthLeft: number, state: Conversion): Converted {
  if (node === null) return { value: null, size: 1 };
  if (isAlias(node)) return resolveAlias(node.source, state);
  if (!isScalar(node) && !isMap(node) && !isSeq(node)) throw new UnreadableDocument('The YAML holds an unknown node.');
  if (node.tag !== undefined) throw new UnreadableDocument(`The YAML has the tag ${node.tag}. Remove all tags.`);
  if (node.anchor !== undefined) state.anchors.set(node.anchor, undefined);
  const converted = bounded(isScalar(node) ? convertScalar(node) : convertCollection(node, depthLeft, state), state);
  if (node.anchor !== undefined) state.anchors.set(node.anchor, converted);
  return converted;
}

function resolveAlias(source: string, state: Conversion): Converted {
  state.aliases += 1;
  if (state.aliases > maxAliases) throw new UnreadableDocument(`The YAML has more than ${maxAliases} aliases.`);
  if (!state.anchors.has(source)) throw new UnreadableDocument(`The YAML alias *${source} has no anchor before it.`);
  const found = state.anchors.get(source);
  if (found === undefined) throw new UnreadableDocument(`The YAML anchor &${source} holds itself.`);
  return found;
}

function convertScalar({ value }: Scalar): Converted {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new UnreadableDocument('The YAML holds a number that is not finite.');
  return { value, size: typeof value === 'string' ? value.length + 2 : 8 };
}

function convertCollection(node: YAMLMap | YAMLSeq, depthLeft: number, state: Conversion): Converted {
  if (depthLeft === 0) throw new UnreadableDocument(`The YAML is nested deeper than ${state.maxDepth} levels.`);
  return isMap(node) ? convertMap(node, depthLeft - 1, state) : convertList(node, depthLeft - 1, state);
}

function convertList(node: YAMLSeq, depthLeft: number, state: Conversion): Converted {
  let size = 2;
  const value = node.items.map((item) => {
    const converted = convert(item, depthLeft, state);
    size += converted.size;
    if (size > state.maxSize) throw tooLarge();
    return converted.value;
  });
  return { value, size };
}

/** Doubled keys are found here: the library's own search compares each key with every other one. */
function convertMap(node: YAMLMap, depthLeft: number, state: Conversion): Converted {
  let size = 2;
  const members = new Map<string, unknown>();
  for (const pair of node.items) {
    const key = keyOf(pair);
    if (members.has(key)) throw new UnreadableDocument(`The YAML has the key ${key.slice(0, 100)} twice.`);
    const converted = convert(pair.value, depthLeft, state);
    size += key.length + converted.size;
    if (size > state.maxSize) throw tooLarge();
    members.set(key, converted.value);
  }
  // fromEntries creates own members, for the name __proto__ too.
  return { value: Object.fromEntries(members), size };
}

function keyOf({ key }: Pair): string {
  if (!isScalar(key) || key.tag !== undefined || key.anchor !== undefined)
    throw new UnreadableDocument('The YAML has a key that is not a plain text.');
  if (key.value === '<<' && key.type === Scalar.PLAIN)
    throw new UnreadableDocument('The YAML has a merge key (<<). Write the members out.');
  return String(key.value);
}

function bounded(converted: Converted, state: Conversion): Converted {
  if (converted.size > state.maxSize) throw tooLarge();
  return converted;
}

function tooLarge(): UnreadableDocument {
  return new UnreadableDocument('The document is larger than 1 MiB when its aliases are written out.');
}
