// The texts inside of messages: all of them for counting, and those that can be moved out.
import type { ModelMessage } from 'ai';

/** A text of the exchange with what takes its place. */
export interface LargeText {
  readonly name: string;
  readonly text: string;
  /** Puts another text in its place. */
  replace(text: string): void;
}

/** Every text of a request: of people, of the model, of its tools. */
export function textsOf(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [content];
    return content.flatMap((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return [part.text];
      if (part.type === 'tool-call') return [JSON.stringify(part.input)];
      if (part.type === 'tool-result')
        return [part.output.type === 'text' || part.output.type === 'error-text' ? part.output.value : ''];
      return [];
    });
  });
}

/**
 * The texts of people and of tools. `replace` changes the list of messages.
 * @param taskPrompt the beginning of the first message, which is a text of its own
 */
export function largeTextsOf(messages: ModelMessage[], taskPrompt: string): LargeText[] {
  return messages.flatMap((message, at): LargeText[] => {
    if (message.role === 'user' && typeof message.content === 'string') {
      return at === 0 ? promptTexts(messages, message.content, taskPrompt) : [userText(messages, at, message.content)];
    }
    return message.role === 'tool' ? toolTexts(messages, at, message) : [];
  });
}

function userText(messages: ModelMessage[], at: number, text: string): LargeText {
  return {
    name: 'message',
    text,
    replace(shown) {
      messages[at] = { role: 'user', content: shown };
    },
  };
}

/** The prompt, and the exchange that followed it. */
function promptTexts(messages: ModelMessage[], text: string, taskPrompt: string): LargeText[] {
  const promptLength = text.startsWith(taskPrompt) ? taskPrompt.length : text.length;
  const pieces = [text.slice(0, promptLength), text.slice(promptLength)];
  const replacePiece = (index: number) => (shown: string) => {
    pieces[index] = index === 0 ? shown : `\n\n${shown}`;
    messages[0] = { role: 'user', content: pieces.join('') };
  };
  return ['prompt', 'exchange'].map((name, index) => ({
    name,
    text: pieces[index] ?? '',
    replace: replacePiece(index),
  }));
}

function toolTexts(
  messages: ModelMessage[],
  at: number,
  { content }: Extract<ModelMessage, { role: 'tool' }>,
): LargeText[] {
  return content.flatMap((part): LargeText[] => {
    // Output of the REPL has its own limit; in the REPL again it would be of no use.
    if (part.type !== 'tool-result' || part.toolName === 'repl') return [];
    const { output } = part;
    if (output.type !== 'text' && output.type !== 'error-text') return [];
    const replace = (shown: string): void => {
      messages[at] = { role: 'tool', content: [{ ...part, output: { ...output, value: shown } }] };
    };
    return [{ name: `result of ${part.toolName}`, text: output.value, replace }];
  });
}
