import { Pool } from 'undici'

/**
 * Creates the leanest function that posts JSON to an address. It resolves when the reply has ended, whatever it says.
 * @param connections requests at a time.
 */
export function createPost(receiver: string, connections: number): (body: string) => Promise<void> {
  const pool = new Pool(receiver, { connections })
  return (body) =>
    new Promise((resolve, reject) => {
      const request = { path: '/', method: 'POST', headers: { 'content-type': 'application/json' }, body } as const
      pool.dispatch(request, {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_, error) => reject(error),
      })
    })
}
