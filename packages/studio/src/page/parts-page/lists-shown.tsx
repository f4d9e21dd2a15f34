import { countText } from '../parts/format/count.tsx'
import { Panel } from '../parts/page/panel.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'

const rows = Array.from({ length: 100_000 }, (_, n) => n)

/** A list of a hundred thousand rows. */
export function ListsShown() {
  return (
    <Panel title="A list of any length" isFlush>
      <VirtualList
        label="A hundred thousand rows"
        items={rows}
        rowPx={30}
        heightPx={240}
        keyOf={(row) => row}
        row={(row) => <span>Row {countText(row)}</span>}
      />
    </Panel>
  )
}
