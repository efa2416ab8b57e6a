/** Keeps the open config dialog from being closed by "Done", by mouse and by keyboard. @param reason Nothing: it may close. */
export function holdDone(reason: string | undefined): void {
  $('#node-config-dialog-ok')
    .prop('disabled', reason !== undefined)
    .toggleClass('disabled', reason !== undefined)
    .attr('title', reason ?? '');
}
