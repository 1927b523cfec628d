// Conversion of artifacts to their wire shape. It holds no rules.
import type { ArtifactSummary } from '../../../domain/model/task/artifact-summary.ts';

export function artifactToWire(summary: ArtifactSummary): Record<string, unknown> {
  return {
    artifact_id: summary.artifactId,
    name: summary.name,
    mime_type: summary.mimeType,
    size: summary.size,
    created_at: summary.createdAt,
  };
}
