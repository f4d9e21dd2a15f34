import { useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'

/** A destination that an event came to. */
export interface Passed {
  readonly destinationId: string
  /** The version of the user transformation that ran. */
  readonly versionId?: string
}

/** An answer of the Test API, as far as it is shown. */
interface Tested {
  readonly data: readonly {
    readonly user_transformed_payload?: unknown
    readonly dest_transformed_payload?: unknown
  }[]
}

/**
 * What each stage before a destination makes of an event: by the code and settings that are live now, since outputs of
 * events that ended are not kept.
 */
export function StagesNow({ passed, event }: { readonly passed: Passed; readonly event: object }) {
  const { destinationId, versionId } = passed
  const [tested, setTested] = useState<Tested>()
  const action = useAction()
  if (!allows('operate')) return null
  const run = (): void =>
    void action.run(async () => {
      const stage = { user_transform: versionId !== undefined, dest_transform: true, send_to_destination: false }
      const path = `/v0/testDestination/${encodeURIComponent(destinationId)}?force=true`
      setTested(await request<Tested>(path, { method: 'POST', body: { stage, message: event }, waitMs: 60_000 }))
      return 'By the code and settings that are live now. Nothing was sent or counted.'
    })
  return (
    <section aria-label={`stages before ${destinationId}`}>
      <button type="button" disabled={action.isBusy} onClick={run}>
        Show what each stage produces before {destinationId}
      </button>
      <Outcome action={action} />
      {tested?.data.map((output, n) => (
        <div class="columns" key={n}>
          {versionId === undefined ? null : (
            <div>
              <p class="hint">The user transformation:</p>
              <JsonBlock
                label={`Transformed for ${destinationId}, output ${n + 1}`}
                value={output.user_transformed_payload}
              />
            </div>
          )}
          <div>
            <p class="hint">The mapping:</p>
            <JsonBlock
              label={`Requests to ${destinationId}, output ${n + 1}`}
              value={output.dest_transformed_payload}
            />
          </div>
        </div>
      ))}
    </section>
  )
}
