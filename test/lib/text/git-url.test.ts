// Repository URLs: accepted, rejected, and matched against prefixes.
import { describe, expect, it } from 'vitest';
import { isBelow, isGitUrl, parseGitUrl, repositoryName } from '../../../src/lib/text/git-url.ts';

describe('a repository URL', () => {
  it.each([
    ['https://github.com/acme/app.git', 'https://github.com/acme/app.git'],
    ['HTTPS://GitHub.com:443/acme/app', 'https://github.com/acme/app'],
    ['ssh://git@host.example:2222/acme/app.git', 'ssh://git@host.example:2222/acme/app.git'],
    ['git@github.com:acme/app.git', 'git@github.com:acme/app.git'],
    ['git://host/app', 'git://host/app'],
    ['file:///srv/git/app.git', 'file:///srv/git/app.git'],
  ])('%s is taken', (text, url) => {
    expect(isGitUrl(text)).toBe(true);
    expect(parseGitUrl(text)).toEqual({ url });
  });

  it.each([
    'ext::sh -c touch% /tmp/x',
    'ext://sh',
    'fd::17',
    '-oProxyCommand=touch x',
    '--upload-pack=touch x',
    'ssh://-oProxyCommand=x/app',
    'ssh://-o@host/app',
    '-x@host:app',
    'https://user:secret@host/app',
    'https://ghp_secret@host/app',
    'ssh://git:secret@host/app',
    'https://host/acme/../other/app',
    'https://host/acme/%2e%2e/other',
    'https://host/acme%2f..%2fother',
    'https://host/app?x=1',
    'https://host/app#x',
    'https://host/a b',
    'https://host/a\nb',
    'https://host\\@evil/app',
    'javascript://host/app',
    'https://',
    `https://host/${'x'.repeat(3000)}`,
    'git@host:../other/app',
    '',
  ])('%j is refused', (text) => {
    expect(parseGitUrl(text)).toHaveProperty('refused');
  });

  it('is distinguished from a folder', () => {
    for (const path of ['/srv/app', './app', 'app', 'C:\\app', '/srv/a@b:c', 'host:path', '.', '~/x']) {
      expect(isGitUrl(path), path).toBe(false);
    }
  });

  it('matches a prefix by whole path segments', () => {
    const url = 'https://github.com/acme/app';
    for (const prefix of ['https://github.com/acme/', 'https://github.com/acme', 'https://GITHUB.com', url, '*']) {
      expect(isBelow(url, ['https://other/', prefix]), prefix).toBe(true);
    }
    for (const prefix of ['https://github.com/ac', 'http://github.com/acme/', 'https://github.co', `${url}/more`, '']) {
      expect(isBelow(url, [prefix]), prefix).toBe(false);
    }
    expect(isBelow('https://github.com.evil.example/acme/app', ['https://github.com'])).toBe(false);
    expect(isBelow('git@host:acme/app', ['git@host:acme'])).toBe(true);
    expect(isBelow('git@host:acme/app', ['git@host:'])).toBe(true);
    expect(isBelow('git@host:acme-b/app', ['git@host:acme'])).toBe(false);
    expect(isBelow(url, [])).toBe(false);
  });

  it('yields a folder name', () => {
    expect(repositoryName('https://host/acme/app.git')).toBe('app');
    expect(repositoryName('git@host:app.git')).toBe('app');
    expect(repositoryName('https://host/a/b%20c/')).toBe('b_20c');
    expect(repositoryName('https://host/.git')).toBe('repository');
  });
});
