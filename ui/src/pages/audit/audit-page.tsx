// Audit.
import type { ReactNode } from 'react';
import { Page } from '../../frame/page.tsx';
import { frameWords } from '../../words/en-frame.ts';

export function AuditPage(): ReactNode {
  return <Page title={frameWords.product}>{null}</Page>;
}
