/** Result of a check of credentials. Reasons are for people; secrets in them are masked. */
export type CredentialCheck =
  | { readonly result: 'valid' }
  /** `invalid`: the product refused them. `undecided`: it gave no usable answer, so a later check may say more. */
  | { readonly result: 'invalid' | 'undecided'; readonly reason: string }
