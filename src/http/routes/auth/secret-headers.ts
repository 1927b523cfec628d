// Answers that show a secret once: nothing between us and the caller keeps them.

export const secretHeaders: Readonly<Record<string, string>> = { 'cache-control': 'no-store' };
