import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { readAll } from '../../../api/read-all.ts'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { Toggle } from '../../../parts/fields/toggle.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { type History, totalOf, useHistory } from '../../destinations/health/history.ts'
import type { Destination } from '../../destinations/records.ts'
import type { Bench } from '../bench/use-bench.ts'

interface ConnectionsDialogProps {
  readonly bench: Bench
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Chooses before which destinations the live version runs, and says what that changes before it does. */
export function ConnectionsDialog({ bench, isOpen, onClose }: ConnectionsDialogProps) {
  return (
    <Dialog
      title={`Where ${bench.transformation.name} runs`}
      note="The live version runs before the destinations that are on."
      isOpen={isOpen}
      onClose={onClose}
    >
      <Choice bench={bench} onClose={onClose} />
    </Dialog>
  )
}

function Choice({ bench, onClose }: Pick<ConnectionsDialogProps, 'bench' | 'onClose'>) {
  const { transformation, onSaved } = bench
  const { id, name, publishedVersionId, destinations = [] } = transformation
  const { value: all = [] } = usePolled(
    'destinations',
    (signal) => readAll<Destination>('/v2/destinations', 'destinations', signal),
    0,
  ).state.value
  const history = useHistory('24h')
  const connected = new Set(destinations.map((each) => each.id))
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const action = useAction()
  const isFixed = publishedVersionId === null || !allows('write') || !allows('operate') || action.isBusy
  const isOn = ({ id }: Destination): boolean => connected.has(id) !== changed.has(id)
  const changes = all.filter((destination) => changed.has(destination.id))
  const apply = (): void =>
    void action.run(async () => {
      for (const destination of changes) {
        const way = connected.has(destination.id) ? 'disconnectFromDestination' : 'connectToDestination'
        await request(`/transformations/${id}/${way}`, { method: 'POST', body: { destinationId: destination.id } })
      }
      onSaved()
      onClose()
      showToast(changes.map((destination) => doneText(destination, isOn(destination))).join(' '))
      return undefined
    })
  return (
    <>
      {publishedVersionId === null ? <p>Publish it first: only live versions run.</p> : null}
      {all.map((destination) => (
        <Toggle
          key={destination.id}
          label={destination.name}
          help={effectOf(destination, isOn(destination), connected.has(destination.id), name, history)}
          isOn={isOn(destination)}
          isDisabled={isFixed}
          onChange={() => {
            const others = [...changed].filter((each) => each !== destination.id)
            setChanged(new Set(changed.has(destination.id) ? others : [...others, destination.id]))
          }}
        />
      ))}
      {all.length === 0 ? <p>There is no destination yet.</p> : null}
      <Outcome action={action} />
      <div class="row">
        <button type="button" class="main" disabled={isFixed || changes.length === 0} onClick={apply}>
          {changes.length === 0 ? 'Nothing is changed' : 'Apply from the next batch on'}
        </button>
      </div>
    </>
  )
}

/** Returns what is so now, or what would change. */
function effectOf(
  { id, transformation }: Destination,
  isOn: boolean,
  wasOn: boolean,
  name: string,
  history: History | undefined,
): string {
  const came = history && totalOf(history, (each) => each.kind === 'accepted' && each.destinationId === id)
  const day = came === undefined ? '' : ` ${countText(came)} events came to it within a day.`
  if (isOn && wasOn) return `${name} runs before it.${day}`
  if (isOn)
    return transformation === undefined
      ? `Events pass unchanged now; ${name} would run on all of them.${day}`
      : `${name} would take the place of ${transformation.name}.${day}`
  if (wasOn) return `Events would pass unchanged.${day}`
  return transformation === undefined ? `Events pass unchanged.${day}` : `${transformation.name} runs before it.${day}`
}

function doneText({ name }: Destination, isOn: boolean): string {
  return `${name}: ${isOn ? 'the live version runs' : 'events pass unchanged'} from the next batch on.`
}
