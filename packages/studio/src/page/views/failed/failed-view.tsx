import { path } from '../../shell/router.ts'
import { Groups } from './groups.tsx'
import { Letter } from './letter.tsx'
import { Letters } from './letters.tsx'

/** Groups of failed events, the letters of one group, or one letter. */
export function FailedView() {
  const [, id] = /^\/failed\/(.+)$/.exec(path.value) ?? []
  if (id !== undefined && id !== 'list') return <Letter id={decodeURIComponent(id)} />
  return id === 'list' ? <Letters /> : <Groups />
}
