// The noun artifact summary: an artifact without its content, and its place in the log.

export interface ArtifactSummary {
  readonly artifactId: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  readonly createdAt: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}
