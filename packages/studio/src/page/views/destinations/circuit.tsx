import type { CircuitsAnswer } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows, visitor } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'

type Circuit = CircuitsAnswer['workspaces'][number]['destinations'][number]

export interface Circuits {
  readonly of: (destinationId: string) => Circuit | undefined
  readonly refresh: () => Promise<void>
}

/** Reads every few seconds which destinations work. They need the scope operate: without it none is known. */
export function useCircuits(): Circuits {
  const { state, refresh } = usePolled('circuits', readCircuits, 5_000)
  return { of: (id) => state.value.value?.find(({ destinationId }) => destinationId === id), refresh }
}

async function readCircuits(signal: AbortSignal): Promise<readonly Circuit[]> {
  if (!allows('operate')) return []
  const { workspaces } = await request<CircuitsAnswer>('/v1/circuits', { signal })
  return workspaces.find(({ workspaceId }) => workspaceId === visitor.value?.workspace.id)?.destinations ?? []
}

/** Whether a destination works, fails or is paused, with the button that pauses or resumes it. */
export function CircuitLine({
  circuit,
  name,
  pending,
  onChanged,
}: {
  readonly circuit: Circuit
  readonly name: string
  /** Events that wait for it. */
  readonly pending: number
  readonly onChanged: () => Promise<void>
}) {
  const action = useAction()
  const isPaused = circuit.state === 'paused'
  const change = (verb: 'pause' | 'resume'): void =>
    void action.run(async () => {
      await request(`/v2/destinations/${encodeURIComponent(circuit.destinationId)}/${verb}`, { method: 'POST' })
      await onChanged()
      return undefined
    })
  return (
    <>
      <p class="row">
        <CircuitText circuit={circuit} />
        {isPaused ? (
          <ConfirmButton
            text="Resume"
            question={`The ${countText(pending)} events that wait for ${name} will be sent, and those that came meanwhile.`}
            confirm={`Resume ${name}`}
            isDisabled={action.isBusy}
            onConfirm={() => change('resume')}
          />
        ) : (
          <ConfirmButton
            text="Pause"
            question={`Nothing more will be sent to ${name}. Its events, ${countText(pending)} at this moment, will wait on disk until it is resumed.`}
            confirm={`Pause ${name}`}
            isDisabled={action.isBusy}
            onConfirm={() => change('pause')}
          />
        )}
      </p>
      <Outcome action={action} />
    </>
  )
}

function CircuitText({ circuit: { state, failingSince, nextTryAt, pausedAt, reason } }: { readonly circuit: Circuit }) {
  if (state === 'paused')
    return (
      <strong>
        Paused <Time at={pausedAt ?? ''} />
        {reason === undefined ? null : `: ${reason}`}
      </strong>
    )
  if (failingSince === undefined) return <span class="hint">{state === 'open' ? 'Asked for a pause' : 'Works'}</span>
  return (
    <span class="in bad">
      Fails; the first failure was <Time at={failingSince} />
      {nextTryAt === undefined ? null : (
        <>
          , next try <Time at={nextTryAt} />
        </>
      )}
    </span>
  )
}
