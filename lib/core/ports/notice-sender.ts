/** A short plain mail to the people of a merchant, about their own account. */
export interface Notice {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface NoticeSender {
  /** False where the provider would refuse the same notice again. Throws where asking again may help. */
  send(notice: Notice): Promise<boolean>;
}
