// Counts the tokens of a YAML text before it is parsed: the library's parser needs minutes for some texts of 1 MB
// (measured: 300,000 anchors in a row, over five minutes), its lexer at most two seconds. runs-18.
import { CST, Lexer } from 'yaml';
import { UnreadableDocument } from './yaml-value.ts';

/** The largest PRD has about 40,000: 100 stories with 50 criteria each. */
const maxTokens = 100_000;
const maxAnchors = 100;

/**
 * Checks that a text can be parsed in a short time, and that it is one document without tags.
 * @throws UnreadableDocument
 */
export function checkYamlTokens(text: string, maxDepth: number): void {
  const counts = { tokens: 0, anchors: 0, documents: 0, flowDepth: 0, nestedInLine: 0 };
  for (const source of new Lexer().lex(text)) {
    counts.tokens += 1;
    if (counts.tokens > maxTokens) throw new UnreadableDocument(`The YAML has more than ${maxTokens} parts.`);
    countToken(CST.tokenType(source), counts);
    if (counts.anchors > maxAnchors) throw new UnreadableDocument(`The YAML has more than ${maxAnchors} anchors.`);
    if (counts.documents > 1) throw new UnreadableDocument('The YAML has a second document. Give one document.');
    if (counts.flowDepth > maxDepth || counts.nestedInLine > maxDepth)
      throw new UnreadableDocument(`The YAML is nested deeper than ${maxDepth} levels.`);
  }
}

interface TokenCounts {
  anchors: number;
  documents: number;
  flowDepth: number;
  nestedInLine: number;
}

function countToken(type: string | null, counts: TokenCounts): void {
  switch (type) {
    case 'tag':
      throw new UnreadableDocument(
        'The YAML has a tag (a word that begins with "!"). Remove all tags, or quote the text.',
      );
    case 'anchor':
      counts.anchors += 1;
      break;
    case 'doc-start':
      counts.documents += 1;
      break;
    case 'newline':
      counts.nestedInLine = 0;
      break;
    case 'seq-item-ind':
    case 'explicit-key-ind':
    case 'map-value-ind':
      // In a flow collection the members of one line are not nested.
      if (counts.flowDepth === 0) counts.nestedInLine += 1;
      break;
    case 'flow-map-start':
    case 'flow-seq-start':
      counts.flowDepth += 1;
      break;
    case 'flow-map-end':
    case 'flow-seq-end':
      counts.flowDepth -= 1;
      break;
    default:
  }
}
