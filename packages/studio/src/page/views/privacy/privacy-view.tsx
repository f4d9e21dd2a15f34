import { useEffect } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { Notice } from '../../parts/notice.tsx'
import { path } from '../../shell/router.ts'
import { Certificate } from './certificate/certificate.tsx'
import { People } from './people.tsx'
import type { Deletions } from './regulation.ts'
import { wantedPerson } from './wanted-person.ts'

/** What is held of people and what to do about it, the person of one request, or the certificate of one deletion. */
export function PrivacyView() {
  const [, kind, id] = /^\/privacy\/(certificates|requests)\/(.+)$/.exec(path.value) ?? []
  if (id === undefined) return <People />
  const regulationId = decodeURIComponent(id)
  return kind === 'requests' ? (
    <PersonOfRequest key={id} id={regulationId} />
  ) : (
    <Certificate key={id} id={regulationId} />
  )
}

/** The page of people, with the person whom a regulation is about: its address has the id of the regulation only. */
function PersonOfRequest({ id }: { readonly id: string }) {
  const address = `/v2/regulations/${encodeURIComponent(id)}/deletions`
  const { value, error } = usePolled(address, (signal) => request<Deletions>(address, { signal }), 0).state.value
  const userId = value?.regulation.attributes['userId']
  useEffect(() => {
    if (userId !== undefined) wantedPerson.value = { identifier: userId, isUserId: true }
  }, [userId])
  return (
    <>
      <People />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
    </>
  )
}
