import { signal } from '@preact/signals'

/** Who is looked for: by an id of any name, or by the userId of a regulation, which needs no search. */
interface WantedPerson {
  readonly identifier: string
  readonly isUserId: boolean
}

/** The person that the page is about. Only in memory: browsers keep addresses, and servers log them. */
export const wantedPerson = signal<WantedPerson | undefined>(undefined)

/** Whether the cursor is to be put into the field that finds a person, once the page is shown. */
export const isAskingForPerson = signal(false)
