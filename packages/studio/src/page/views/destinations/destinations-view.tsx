import './destinations.css'
import { path } from '../../shell/router.ts'
import { DestinationList } from './destination-list.tsx'
import { DestinationPage } from './destination-page.tsx'
import { NewDestination } from './settings/new-destination.tsx'

/** All destinations, one, or a new one. */
export function DestinationsView() {
  const [, id] = /^\/destinations\/(.+)$/.exec(path.value) ?? []
  if (id === undefined) return <DestinationList />
  return id === 'new' ? <NewDestination /> : <DestinationPage key={id} id={decodeURIComponent(id)} />
}
