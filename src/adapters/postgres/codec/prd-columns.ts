// The columns of the tables of PRD chats, by the fields of the model: the only list of them.
import type { PrdSession, PrdTurn, PrdVersion } from '../../../domain/model/prd/prd-session.ts';
import type { RecordColumns } from './run-columns.ts';

export const prdSessionColumns: RecordColumns<PrdSession> = {
  id: 'plain',
  codebaseId: 'plain',
  title: 'plain',
  status: 'plain',
  version: 'plain',
  ready: 'plain',
  runIds: 'plain',
  messages: 'plain',
  createdBy: 'plain',
  createdAt: 'time',
  updatedAt: 'time',
};

export const prdTurnColumns: RecordColumns<PrdTurn> = {
  n: 'plain',
  role: 'plain',
  text: 'plain',
  attachments: 'plain',
  taskId: 'plain',
  questions: 'plain',
  status: 'plain',
  source: 'plain',
  baseVersion: 'plain',
  madeVersion: 'plain',
  isRepair: 'plain',
  actsAs: 'plain',
  warnings: 'plain',
  at: 'time',
};

export const prdVersionColumns: RecordColumns<PrdVersion> = {
  version: 'plain',
  document: 'plain',
  author: 'plain',
  turn: 'plain',
  operations: 'plain',
  warnings: 'plain',
  at: 'time',
};
