import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { countText } from '../../parts/format/count.tsx'

interface Suppressions {
  readonly data: readonly { readonly day: string; readonly events: number }[]
}

/** How many events were suppressed today. */
export function SuppressedToday() {
  const address = '/v2/regulations/suppressions'
  const { value } = usePolled(address, (signal) => request<Suppressions>(address, { signal }), 30_000).state.value
  if (value === undefined) return null
  const today = new Date().toISOString().slice(0, 10)
  const events = value.data.filter(({ day }) => day === today).reduce((sum, each) => sum + each.events, 0)
  return <span>{countText(events)} events were suppressed today (UTC).</span>
}
