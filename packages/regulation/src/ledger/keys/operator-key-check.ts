import { LedgerBrokenError } from '../ledger-errors.ts'
import type { LedgerPlace } from '../ledger-place.ts'
import { IdSealer } from './id-sealer.ts'

const name = 'operatorKeyCheck'
/** In place of the id of the ledger, so that a lost id does not make the key look wrong. */
const salt = 'sluice ledger operator key check'

/** Recognises the key of the operator by a text in the ledger that only this key opens: a note without ids. */
export class OperatorKeyCheck {
  readonly #place: LedgerPlace
  readonly #sealer: IdSealer

  private constructor(place: LedgerPlace, sealer: IdSealer) {
    this.#place = place
    this.#sealer = sealer
  }

  /** @throws RangeError when the key is too short. */
  static async of(place: LedgerPlace, operatorKey: string): Promise<OperatorKeyCheck> {
    return new OperatorKeyCheck(place, await IdSealer.of(operatorKey, salt))
  }

  /** Whether the key is that of the ledger; undefined while the ledger does not know its key. */
  async isRight(): Promise<boolean | undefined> {
    const text = await this.#place.kept(name)
    return text === undefined ? undefined : this.#opens(text)
  }

  /** Makes the key that of the ledger, unless it has one. @throws LedgerBrokenError when it has another one. */
  async keep(): Promise<void> {
    if (!(await this.#opens(await this.#place.keep(name, await this.#text())))) throw otherKey(this.#place)
  }

  /** Makes the key that of the ledger, in place of the one before. */
  async replace(): Promise<void> {
    if (!(await this.isRight())) await this.#place.replace(name, await this.#text())
  }

  #text(): Promise<string> {
    return this.#sealer.seal(name, new Map())
  }

  #opens(text: string): Promise<boolean> {
    return this.#sealer.open(name, text).then(
      () => true,
      () => false,
    )
  }
}

/** Returns the error for a key that is not that of the ledger. */
export function otherKey(place: LedgerPlace): LedgerBrokenError {
  return new LedgerBrokenError(
    `the ids in ${place.name} cannot be decrypted: the key of the ledger (SLUICE_LEDGER_KEY) is another one than the one that they are encrypted under`,
    'Set it to that key, encrypt the ids under another one with sluice ledger rekey, or start without it: users stay suppressed then, and their deletions wait for the right key',
  )
}
