import { DataTable } from '../../../parts/data-table.tsx'
import { Count } from '../../../parts/format/count.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import { LetterMark } from '../../../parts/signs/letter-mark.tsx'
import { useDestinationNames } from '../use-destination-names.ts'
import type { PersonReport } from './person-report.ts'

/** Which destinations got events of a person, as far as receipts are kept. */
export function Got({ report: { destinations } }: { readonly report: PersonReport }) {
  const names = useDestinationNames()
  return (
    <Panel title="Who got events of this person" note="As far as receipts are kept." isFlush>
      <DataTable
        caption="Destinations that got events"
        rows={destinations}
        keyOf={({ destinationId }) => destinationId}
        empty="No receipt says that a destination got an event of this person."
        columns={[
          {
            title: 'Where',
            cell: ({ destinationId }) => {
              const { name, type } = names.get(destinationId) ?? { name: destinationId, type: '' }
              return (
                <span class="cell">
                  <LetterMark name={name} />
                  <span>
                    {name}
                    <small>{type}</small>
                  </span>
                </span>
              )
            },
          },
          { title: 'Events', isNumber: true, cell: ({ events }) => <Count value={events} /> },
        ]}
      />
    </Panel>
  )
}
