import { bytesOf, textOf } from '@sluice/core/bytes'
import type { Regulation } from '../../regulation.ts'
import { LedgerBrokenError } from '../ledger-errors.ts'

type Attributes = Regulation['attributes']
// Of every platform; the types of Node name them in a module of its own.
type CipherKey = Parameters<typeof crypto.subtle.encrypt>[1]
type CipherParams = Parameters<typeof crypto.subtle.encrypt>[0] & { readonly iv: Uint8Array }

/** Length of the random start of a cipher text, as AES-GCM wants it. */
const nonceBytes = 12
/** Shortest text that is taken as a key. */
export const operatorKeyCharsMin = 32

/** Regulations are named in the open, so that a note can be removed without the key. */
interface Note {
  readonly of: readonly string[]
  readonly iv: string
  readonly sealed: string
}

/** Returns the keys of the records whose ids are in a note; none for what is no note. */
export function regulationsOfNote(text: string): readonly string[] {
  try {
    const { of }: Partial<Note> = JSON.parse(text)
    return of ?? []
  } catch {
    return []
  }
}

/**
 * Encrypts and decrypts the ids of persons under the key of the operator: AES-256-GCM, with a key that is derived from
 * the operator's by HKDF-SHA-256 and the id of the ledger.
 */
export class IdSealer {
  readonly #key: CipherKey

  private constructor(key: CipherKey) {
    this.#key = key
  }

  /**
   * @param operatorKey a text that cannot be guessed, `operatorKeyCharsMin` characters or longer.
   * @throws RangeError when it is shorter.
   */
  static async of(operatorKey: string, ledgerId: string): Promise<IdSealer> {
    if (operatorKey.length < operatorKeyCharsMin)
      throw new RangeError(
        `the key of the ledger has ${operatorKey.length} characters: give ${operatorKeyCharsMin} or more, which cannot be guessed, such as the output of openssl rand -base64 32`,
      )
    const given = await crypto.subtle.importKey('raw', bytesOf(operatorKey), 'HKDF', false, ['deriveKey'])
    const how = { name: 'HKDF', hash: 'SHA-256', salt: bytesOf(ledgerId), info: bytesOf('sluice ledger ids') }
    return new IdSealer(
      await crypto.subtle.deriveKey(how, given, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
    )
  }

  /**
   * Returns a note with the ids of users.
   * @param users by the keys of the records of their regulations. @param name of the note, to which it is bound.
   */
  async seal(name: string, users: ReadonlyMap<string, Attributes>): Promise<string> {
    // From the platform: a nonce that repeats gives the key away.
    const iv = crypto.getRandomValues(new Uint8Array(nonceBytes))
    const ids = bytesOf(JSON.stringify([...users.values()]))
    const sealed = new Uint8Array(await crypto.subtle.encrypt(this.#cipher(name, iv), this.#key, ids))
    const note: Note = { of: [...users.keys()], iv: textOf(iv, 'base64'), sealed: textOf(sealed, 'base64') }
    return JSON.stringify(note)
  }

  /** @throws LedgerBrokenError when the note was sealed under another key, or changed. */
  async open(name: string, text: string): Promise<ReadonlyMap<string, Attributes>> {
    try {
      const note: Note = JSON.parse(text)
      const cipher = this.#cipher(name, bytesOf(note.iv, 'base64'))
      const ids = await crypto.subtle.decrypt(cipher, this.#key, bytesOf(note.sealed, 'base64'))
      const users: readonly Attributes[] = JSON.parse(textOf(new Uint8Array(ids)))
      return new Map(note.of.flatMap((of, i) => (users[i] ? [[of, users[i]] as const] : [])))
    } catch {
      throw new LedgerBrokenError(
        `the ids in note ${name} cannot be decrypted: the key of the ledger (SLUICE_LEDGER_KEY) is another one, or the note was changed`,
        'Set it to the key under which the note was encrypted, or start without it: users stay suppressed then, and their deletions wait for the right key',
      )
    }
  }

  #cipher(name: string, iv: Uint8Array<ArrayBuffer>): CipherParams {
    return { name: 'AES-GCM', iv, additionalData: bytesOf(name) }
  }
}
