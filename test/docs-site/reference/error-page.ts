import { errorTraits } from '@sluice/core'
import { apiErrors } from '@sluice/http'
import { ingestErrors } from '@sluice/pipeline'
import { apiCures } from '../cures/api-cures.ts'
import { eventCures } from '../cures/event-cures.ts'
import { ingestCures } from '../cures/ingest-cures.ts'
import type { Page } from '../pages/page.ts'

/** Returns the page of all error codes, each with its cause from the code and what to do. */
export function errorPage(): Page {
  const api = Object.entries(apiErrors).map(([code, { status, summary }]) =>
    section(code, `Status ${status}.`, summary, apiCures[code as keyof typeof apiErrors]),
  )
  const events = Object.entries(errorTraits).map(([code, { retryable, summary }]) =>
    section(
      code,
      retryable ? 'Tried again by itself.' : 'Not tried again by itself.',
      summary,
      eventCures[code as keyof typeof errorTraits],
    ),
  )
  const ingest = Object.entries(ingestErrors).map(([code, text]) => {
    const { cause, cure } = ingestCures[code as keyof typeof ingestErrors]
    return `### ${text}\n\n${cause}\n\n**What to do:** ${cure}`
  })
  const text = [
    '# Error codes',
    'Every code that Sluice answers or stores, with its cause and what to do. A message says more than its code: which value, which line, which limit. Codes do not change; messages may.',
    '## Events that fail',
    'The `code` of a dead letter, of a receipt in `GET /v1/events/{messageId}`, and of an outcome of `process`. The Test API shows the message.',
    ...events,
    '## HTTP APIs',
    'The `code` of an answer `{message, code, error, details?}` of all APIs except ingestion and the [Data Governance API](../api/governance.md#errors), whose texts are those of RudderStack.',
    ...api,
    '## Ingestion',
    'Ingestion answers in plain text, with the words that RudderStack’s senders know: [statuses](../api/ingestion.md#refusals).',
    ...ingest,
  ]
  return { path: 'reference/errors', text: `${text.join('\n\n')}\n` }
}

/** An address of its own for each code: `errors#transform.timeout` has the code in lower case, without dots. */
function section(code: string, note: string, cause: string, cure: string): string {
  return `### \`${code}\` {#${code.toLowerCase()}}\n\n${cause} ${note}\n\n**What to do:** ${cure}`
}
