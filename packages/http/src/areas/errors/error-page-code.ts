import type { ErrorCode } from '@sluice/core'
import type { IngestErrorCode } from '@sluice/pipeline'
import type { ApiErrorCode } from '../../routing/api-errors.ts'

/** Every code that has a page. Some codes of ingestion are also those of other APIs, so theirs have a prefix. */
export type ErrorPageCode = ErrorCode | ApiErrorCode | `ingest.${IngestErrorCode}`

/** The page of a code, as Markdown paragraphs without line breaks. */
export interface ErrorText {
  /** Page of the documentation that has the section: `packages/docs/errors/events.md`. */
  readonly source: string
  readonly whatHappened: string
  readonly why: string
  readonly whatToDo: string
  readonly example: string
}
