import { path } from '../../shell/router.ts'
import { DestinationPage } from './destination-page.tsx'
import { Overview } from './overview.tsx'
import { SourcePage } from './sources/source-page.tsx'

/** Sources, destinations and their connections, or one source or destination. */
export function DestinationsView() {
  const [, source] = /^\/destinations\/sources\/(.+)$/.exec(path.value) ?? []
  if (source !== undefined) return <SourcePage key={source} id={decodeURIComponent(source)} />
  const [, id] = /^\/destinations\/(.+)$/.exec(path.value) ?? []
  return id === undefined ? <Overview /> : <DestinationPage id={decodeURIComponent(id)} />
}
