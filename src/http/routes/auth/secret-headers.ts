// Headers of answers that contain a secret: caches must not store them.

export const secretHeaders: Readonly<Record<string, string>> = { 'cache-control': 'no-store' };
