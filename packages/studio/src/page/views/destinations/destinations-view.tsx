import { path } from '../../shell/router.ts'
import { DestinationList } from './destination-list.tsx'
import { DestinationPage } from './destination-page.tsx'

/** All destinations, or one. */
export function DestinationsView() {
  const [, id] = /^\/destinations\/(.+)$/.exec(path.value) ?? []
  return id === undefined ? <DestinationList /> : <DestinationPage id={decodeURIComponent(id)} />
}
