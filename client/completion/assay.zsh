#compdef assay
# SPDX-License-Identifier: Apache-2.0
# Completion of assay(1) for zsh: `source <(assay completion zsh)`, or this file as _assay in a
# directory of $fpath.  assay itself says what can follow.

_assay()
{
	local line word text
	local -a front described

	front=("${(@Q)words[2,CURRENT-1]}")
	for line in "${(@f)$(${(Q)words[1]} completion words -- "${front[@]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
		text=${line[2,-1]}
		case $line in
		(w*)	word=${text%%$'\t'*}
			described+=("${word//:/\\:}${${text#$word}:+:${text#*$'\t'}}") ;;
		(d)	compset -P '--*='; _files -/ ;;
		(f)	compset -P '--*='; _files ;;
		(f*)	compset -P '--*='; _files -g "*.(${text//,/|})(-.)" ;;
		esac
	done
	(( $#described )) && _describe -V assay described
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
	_assay "$@"
else
	compdef _assay assay
fi
