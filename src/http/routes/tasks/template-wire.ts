// Task templates between their wire shape and the domain's.
import type { TaskTemplateWire } from '../../../contracts/schedules/task-template.ts';
import type { TaskTemplate } from '../../../domain/model/task/task-template.ts';

export function templateFromWire(template: TaskTemplateWire): TaskTemplate {
  return {
    title: template.title,
    prompt: template.prompt,
    codebaseId: template.codebase_id,
    agentType: template.agent_type,
    model: template.model,
    priority: template.priority,
    requiredCapabilities: template.required_capabilities,
    targetAgent: template.target_agent,
    targetWorkerId: template.target_worker_id,
    conversationId: template.conversation_id,
    maxAttempts: template.max_attempts,
    webhookUrl: template.webhook_url,
    metadata: template.metadata,
    deadlineSeconds: template.deadline_seconds,
  };
}

/** Fields that were not given stay absent. */
export function templateToWire(template: TaskTemplate): TaskTemplateWire {
  const wire: { [Field in keyof TaskTemplateWire]: TaskTemplateWire[Field] | undefined } = {
    title: template.title,
    prompt: template.prompt,
    codebase_id: template.codebaseId,
    agent_type: template.agentType,
    model: template.model,
    priority: template.priority,
    required_capabilities: template.requiredCapabilities && [...template.requiredCapabilities],
    target_agent: template.targetAgent,
    target_worker_id: template.targetWorkerId,
    conversation_id: template.conversationId,
    max_attempts: template.maxAttempts,
    webhook_url: template.webhookUrl,
    metadata: template.metadata,
    deadline_seconds: template.deadlineSeconds,
  };
  return { ...wire, prompt: template.prompt };
}
