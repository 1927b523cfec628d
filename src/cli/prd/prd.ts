// The group of all `prd` commands: chats in which a PRD is written.
import { Command } from 'commander';
import type { CommandContext } from '../core/command.ts';
import { withConnection } from '../core/connection.ts';
import { chatCommand } from './prd-chat.ts';
import { exportCommand, listChatsCommand, showChatCommand, startCommand } from './prd-documents.ts';

export function prdCommand(run: CommandContext): Command {
  const group = new Command('prd').description('write a PRD in a chat, and start runs from it');
  const commands = [
    chatCommand(run),
    listChatsCommand(run),
    showChatCommand(run),
    exportCommand(run),
    startCommand(run),
  ];
  for (const command of commands) group.addCommand(withConnection(command));
  return group;
}
