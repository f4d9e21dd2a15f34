import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import type { Definition } from '../records.ts'

/** Reads all destination types, once. */
export function useDefinitions() {
  return usePolled('definitions', (signal) => request<readonly Definition[]>('/destination-definitions', { signal }), 0)
    .state.value
}
