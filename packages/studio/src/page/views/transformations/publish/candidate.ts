/** A version that may be published: without an id it is the code as it is here. */
export interface Candidate {
  readonly title: string
  readonly code: string
  readonly versionId?: string
}
