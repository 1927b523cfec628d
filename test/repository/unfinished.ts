// Files that the rules about language and layout do not cover yet.

/** Parts whose words, names and folders are not yet in line. */
const unfinished =
  /^(ui|test\/ui|bench\/measure\/ui|(src|test)\/(domain\/(runs|prd|schedules)|worker\/(steps|gates|bundles|agents)|http\/routes\/(ralph|schedules)|cli\/(ralph|prd|cron))|test\/(end-to-end|support)\/runs|test\/walks\/runs.*|docs\/(UI|RUNS|PRD|CRON)\.md)(\/|$|\.)/;

/** @param file path from the root of the repository */
export function isUnfinished(file: string): boolean {
  return unfinished.test(file);
}
