import { path } from '../../shell/router.ts'
import { Certificate } from './certificate.tsx'
import { People } from './people.tsx'

/** What is held of people and what to do about it, or the certificate of one deletion. */
export function PrivacyView() {
  const [, id] = /^\/privacy\/certificates\/(.+)$/.exec(path.value) ?? []
  return id === undefined ? <People /> : <Certificate key={id} id={decodeURIComponent(id)} />
}
