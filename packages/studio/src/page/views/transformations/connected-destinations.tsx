import { usePolled } from '../../api/polled.ts'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Transformation } from './transformation.ts'

interface Destination {
  readonly id: string
  readonly name: string
  readonly transformation?: { readonly id?: string; readonly name: string }
}

/** The destinations before which the live version runs. */
export function ConnectedDestinations({
  transformation,
  onChanged,
}: {
  readonly transformation: Transformation
  readonly onChanged: () => void
}) {
  const { id, publishedVersionId, destinations = [] } = transformation
  const { value: all = [] } = usePolled(
    'destinations',
    (signal) => readAll<Destination>('/v2/destinations', 'destinations', signal),
    0,
  ).state.value
  const action = useAction()
  const connected = new Set(destinations.map((each) => each.id))
  const isFixed = publishedVersionId === null || !allows('write') || !allows('operate') || action.isBusy
  const change = (destination: Destination): void =>
    void action.run(async () => {
      const way = connected.has(destination.id) ? 'disconnectFromDestination' : 'connectToDestination'
      await request(`/transformations/${id}/${way}`, { method: 'POST', body: { destinationId: destination.id } })
      onChanged()
      return `${destination.name}: ${connected.has(destination.id) ? 'events pass unchanged' : 'the live version runs'} from the next batch on.`
    })
  return (
    <fieldset>
      <legend>Runs before these destinations</legend>
      {publishedVersionId === null ? <p class="hint">Publish it first: only live versions run.</p> : null}
      <div class="row">
        {all.map((destination) => (
          <label key={destination.id}>
            <input
              type="checkbox"
              checked={connected.has(destination.id)}
              disabled={isFixed}
              onChange={() => change(destination)}
            />
            {destination.name}
            {destination.transformation && !connected.has(destination.id) ? (
              <span class="hint"> now {destination.transformation.name}</span>
            ) : null}
          </label>
        ))}
      </div>
      <Outcome action={action} />
    </fieldset>
  )
}
