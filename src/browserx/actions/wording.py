"""What a text that came with an action says of it: that something went wrong, or that it went well.

The role of the place it came to counts first (an alert is bad news unless it says otherwise), then its words, in the
languages most pages are written in. Long texts are reading matter, not messages.
"""

import re

from browserx.inpage.facts import ActionFacts

_MESSAGE_LENGTH = 200
_MOST = 5
#: English, German, French, Spanish, Portuguese, Italian, Dutch, Polish; Russian, Turkish, Arabic, Chinese, Japanese,
#: Korean.
_ERROR = re.compile(
    r"\b(errors?|failed|failure|invalid|incorrect|wrong|required|must (be|have|not)|not (found|valid|allowed|available)"
    r"|can(no|')t|could ?n[o']t|unable|denied|expired|too (short|long|many|large)|missing|try again"
    r"|fehler\w*|fehlgeschlagen|ungültig\w*|falsch\w*|erforderlich|pflichtfeld|nicht (gefunden|möglich|gültig|erlaubt)"
    r"|erreurs?|échec|échoué|invalides?|incorrecte?s?|obligatoires?|requise?s?|introuvable|impossible"
    r"|errore\w*|error(es)?|fall[oó]|inv[aá]lid[oa]s?|incorrect[oa]s?|obligatori[oa]s?|requerid[oa]s?"
    r"|no (se pudo|encontrad[oa])"
    r"|erros?|falha|falhou|obrigat[óo]ri[oa]s?|n[ãa]o (foi|encontrad[oa])"
    r"|non valid[oa]|sbagliat[oa]|fallit[oa]|impossibile|fout|mislukt|ongeldig\w*|verplicht"
    r"|błąd|niepoprawn\w*|nieprawidłow\w*|wymagan\w*|nie udało)\b"
    r"|ошибк|неверн|не удалось|обязательн|недопустим|hata|geçersiz|zorunlu|başarısız|خطأ|غير صالح|مطلوب|فشل"
    r"|错误|失败|无效|必填|不正确|錯誤|失敗|無效|エラー|無効|必須|できません|오류|실패|잘못|필수",
    re.IGNORECASE,
)
_SUCCESS = re.compile(
    r"\b(success(ful(ly)?)?|saved|sent|submitted|added|updated|created|deleted|removed|uploaded|copied|subscribed|confirmed"
    r"|completed?|done|thank(s| you)|welcome|congratulations"
    r"|erfolg(reich)?|gespeichert|gesendet|hinzugefügt|aktualisiert"
    r"|erstellt|gelöscht|bestätigt|danke|succès|réussie?|enregistrée?s?|envoyée?s?|ajoutée?s?|supprimée?s?|merci"
    r"|[ée]xito|guardad[oa]s?|enviad[oa]s?|añadid[oa]s?|actualizad[oa]s?|cread[oa]s?|eliminad[oa]s?|gracias"
    r"|sucesso|salv[oa]s?|adicionad[oa]s?|atualizad[oa]s?|obrigad[oa]|successo|salvat[oa]|inviat[oa]|aggiunt[oa]|grazie"
    r"|gelukt|opgeslagen|verzonden|toegevoegd|bedankt|zapisano|wysłano|dodano|usunięto|dziękujemy)\b"
    r"|успешно|сохранен|отправлен|добавлен|удален|спасибо|başarı(yla|lı)|kaydedildi|gönderildi|تم |بنجاح|شكرا"
    r"|成功|已保存|已添加|已发送|完成|谢谢|保存しました|追加しました|送信しました|ありがとう|성공|저장되|완료|감사",
    re.IGNORECASE,
)


def errors(facts: ActionFacts) -> list[str]:
    """The texts that say that something went wrong; at most five."""
    found = [text for text in facts.alerts if _ERROR.search(text) or not _SUCCESS.search(text)]
    found += [text for text in (*facts.statuses, *facts.added) if is_error(text)]
    return _few(found)


def successes(facts: ActionFacts) -> list[str]:
    """The texts that say that it went well; at most five."""
    found = (*facts.alerts, *facts.statuses, *facts.added)
    return _few([text for text in found if is_success(text)])


def is_error(text: str) -> bool:
    """Whether a text is a message that something went wrong."""
    return len(text) < _MESSAGE_LENGTH and _ERROR.search(text) is not None


def is_success(text: str) -> bool:
    """Whether a text is a message that something went well, and nothing wrong."""
    return len(text) < _MESSAGE_LENGTH and _SUCCESS.search(text) is not None and _ERROR.search(text) is None


def _few(texts: list[str]) -> list[str]:
    """Without those that only repeat a part of another."""
    kept: list[str] = []
    for text in dict.fromkeys(texts):
        if not any(text in other for other in kept):
            kept.append(text)
    return kept[:_MOST]
