import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { Destination, Records, Source } from '../destinations/records.ts'

/** A row per source, a column per destination, and a box where they are connected. */
export function ConnectionMatrix({
  records,
  onChanged,
}: {
  readonly records: Records
  readonly onChanged: () => void
}) {
  const { sources, destinations, connections } = records
  const action = useAction()
  const mayChange = allows('write') && allows('operate')
  const change = (source: Source, destination: Destination, id: string | undefined): void =>
    void action.run(async () => {
      if (id === undefined)
        await request('/v2/connections', {
          method: 'POST',
          body: { sourceId: source.id, destinationId: destination.id, enabled: true },
        })
      else await request(`/v2/connections/${encodeURIComponent(id)}`, { method: 'DELETE' })
      onChanged()
      return `${source.name} and ${destination.name} are ${id === undefined ? 'connected' : 'no longer connected'}.`
    })
  if (sources.length === 0 || destinations.length === 0) return null
  return (
    <Panel
      title="Connections"
      note="Which source sends to which destination"
      isFlush
      foot={<span>Connections of the workspace file can only be changed there.</span>}
    >
      <Outcome action={action} />
      <Scroll label="Connections">
        <table>
          <caption class="unseen">Which source sends to which destination</caption>
          <thead>
            <tr>
              <th scope="col">Source</th>
              {destinations.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sources.map((source) => (
              <tr key={source.id}>
                <th scope="row">
                  {source.name} {source.enabled ? '' : '(disabled)'}
                </th>
                {destinations.map((destination) => {
                  const found = connections.find(
                    (each) => each.sourceId === source.id && each.destinationId === destination.id,
                  )
                  const isFixed = !mayChange || action.isBusy || found?.managedBy === 'file'
                  return (
                    <td key={destination.id}>
                      <input
                        type="checkbox"
                        checked={found !== undefined}
                        disabled={isFixed}
                        aria-label={`${source.name} to ${destination.name}${found?.managedBy === 'file' ? ', set in the file' : ''}`}
                        onChange={() => change(source, destination, found?.id)}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </Panel>
  )
}
