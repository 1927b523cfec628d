// The members of a turn that has nothing yet beside its text.
export const emptyTurn = {
  attachments: [],
  taskId: null,
  questions: [],
  madeVersion: null,
  isRepair: false,
  actsAs: null,
  warnings: [],
};
